import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// Who may connect: invitations and revocations on the page.
  @Suite(.serialized) struct PageDevices {
    /// Returns the answer to a request of this page: its result, or the reason for its refusal.
    private func ask(_ page: BrowserPage, _ command: String, _ members: String = "{}") throws
      -> String
    {
      let answer = try page.value(
        """
        import('/link.js').then(({ link }) => link.ask('\(command)', \(members)))
          .then((result) => JSON.stringify(result), (error) => error.message)
        """)
      return answer as? String ?? ""
    }

    @Test func anInvitedDevicePlaysUntilItIsRevoked() async throws {
      try await Pages().run { _, link, folder in
        let browser = try Browser()
        let owner = try browser.open(link.url)
        try await owner.wait(forElement: "#tools button")
        try owner.show("devices")
        try await owner.wait("document.querySelectorAll('li').length === 1")
        let own = try #require(try owner.text("li"))
        #expect(own.contains("on Linux") && own.contains("edits"), "\(own)")
        #expect(own.contains("connected, this device") && !own.contains("not connected"), "\(own)")
        #expect(try owner.value("document.body.innerText.includes('--page-lan')") as? Bool == true)

        // A code that another reader can read, and a link that makes a device of the stage.
        try owner.click("div.row > button")
        try await owner.wait(forElement: "figure .code")
        let invitation = try #require(try owner.text("figcaption"))
        #expect(invitation.hasPrefix("http://127.0.0.1:\(link.port)/#k="))
        try owner.value("document.querySelector('.code').scrollIntoView({ block: 'center' })")
        try owner.screenshot(to: folder.path("invitation.png"))
        #expect(try QRCodeReader.read(folder.path("invitation.png")) == invitation)
        let guest = try browser.open(invitation)
        try await guest.wait(forElement: ".scenes button")
        try await owner.wait("document.querySelectorAll('li').length === 2")
        try await owner.wait("!document.querySelector('figure')")
        let views = "[...document.querySelectorAll('#views a')].map((e) => e.textContent).join()"
        #expect(try guest.value(views) as? String == "Stage,Keyboard,Set list,Log")
        #expect(try ask(guest, "scene", "{ name: 'loud' }").contains("scene loud"))
        for request in ["devices", "invite", "undo"] {
          #expect(try ask(guest, request).contains("does not edit"), "\(request)")
        }

        // Revoked: its page ends at once, and its token leads nowhere.
        let button = "li:nth-child(2) button"
        let label = try owner.value("document.querySelector('\(button)').ariaLabel") as? String
        #expect(label?.contains("plays") == true && label?.contains(", connected") == true)
        try owner.click(button)
        let lost = "document.getElementById('lost').textContent"
        try await guest.wait("\(lost).includes('revoked')")
        try await owner.wait("document.querySelectorAll('li').length === 1")
        try guest.call("Page.reload")
        try await guest.wait("\(lost).includes('this browser is not known')")
        #expect(try ask(owner, "revoke", "{ device: 'nobody' }") == "there is no device nobody")

        // The same by hand; a file that is damaged changes nothing, and is not written over.
        let file = "data/backline/page-devices.json"
        _ = try folder.write(file, bytes: Array("[".utf8))
        #expect(try ask(owner, "devices").contains(#""isThis":true"#))
        #expect(
          try ask(owner, "revoke", "{ device: 'nobody' }").contains("page-devices.json: is damaged")
        )
        #expect(try String(contentsOfFile: folder.path(file), encoding: .utf8) == "[")
        _ = try folder.write(file, bytes: Array("[]".utf8))
        try await owner.wait("\(lost).includes('revoked')")
      }
    }

    @Test func sixteenPagesAreServed() async throws {
      try await Pages().run { _, link, _ in
        let page = try Browser().open(link.url)
        try await page.wait(forElement: "#tools button")
        // Besides itself.
        let answers = try page.value(
          """
          (async () => {
            const open = () => new Promise((done) => {
              const socket = new WebSocket(`ws://${location.host}/socket`);
              socket.onopen = () => socket.send(JSON.stringify({ token: localStorage.getItem('backline') }));
              socket.onmessage = () => done('open');
              socket.onclose = ({ reason }) => done(reason);
            });
            const answers = [];
            while (answers.length < 17) answers.push(await open());
            return answers;
          })()
          """)
        let refusals = Array(repeating: "too many pages", count: 2)
        #expect(answers as? [String] == Array(repeating: "open", count: 15) + refusals)
      }
    }

    @Test func aPageThatFloodsIsClosed() async throws {
      try await Pages().run(devices: PageLink.devices("edit")) { _, link, _ in
        let some = (1...400).map { PageLink.text(#"1.5 {"id":\#($0),"command":"status"}"#) }
        let answers = try link.send(some, until: #""id":400"#)
        #expect(answers.contains(#""id":400"#))
        let many = (1...1000).map { PageLink.text(#"1.5 {"id":\#($0),"command":"status"}"#) }
        let end = try link.send(many, until: "too many messages")
        #expect(end.contains("too many messages"))
      }
    }
  }
}
