import Documents
import FoundationEssentials
import NIOCore

#if TLS
  import NIOSSL

  /// The user's certificate and key, with which the page is encrypted.
  struct PageCertificate: Sendable {
    private let context: NIOSSLContext
    /// The host names, which may begin with `*.`, and the IPv4 addresses of the certificate.
    let names: [String]

    private static let maximumBytes = 1 << 20

    /// Reads both files, in PEM format. The certificate may be followed by its chain.
    ///
    /// - Throws: `FileError` with the name of the file that is wrong.
    init(certificate file: String, key keyFile: String) throws {
      let bytes = try WholeFile.read(file, limit: Self.maximumBytes)
      guard let chain = try? NIOSSLCertificate.fromPEMBytes(bytes), let own = chain.first else {
        throw FileError(path: file, reason: "it holds no certificate in PEM form")
      }
      let (start, end) = (Double(own.notValidBefore), Double(own.notValidAfter))
      let now = Date().timeIntervalSince1970
      guard now <= end else {
        throw FileError(path: file, reason: "the certificate expired on \(Self.day(end))")
      }
      guard now >= start else {
        throw FileError(path: file, reason: "the certificate is valid from \(Self.day(start)) only")
      }
      let key = try Self.key(keyFile)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      do {
        context = try NIOSSLContext(configuration: configuration)
      } catch {
        throw FileError(path: keyFile, reason: "the key does not fit the certificate \(file)")
      }
      names = own._subjectAlternativeNames().compactMap { name in
        switch name.nameType {
        case .dnsName: String(decoding: name.contents, as: UTF8.self).lowercased()
        case .ipAddress where name.contents.count == 4:
          name.contents.map { "\($0)" }.joined(separator: ".")
        default: nil
        }
      }
    }

    /// Adds the handler that encrypts a connection.
    func addHandler(to pipeline: ChannelPipeline.SynchronousOperations) throws {
      try pipeline.addHandler(NIOSSLServerHandler(context: context))
    }

    /// Whether the certificate is for this host.
    func covers(_ host: String) -> Bool {
      names.contains(host) || names.contains("*\(host.drop { $0 != "." })")
    }

    private static func key(_ file: String) throws -> NIOSSLPrivateKey {
      let bytes = try WholeFile.read(file, limit: maximumBytes)
      let text = String(decoding: bytes, as: UTF8.self)
      guard !text.contains("ENCRYPTED") else {
        throw FileError(
          path: file,
          reason:
            "the key is encrypted; “openssl pkey -in \(file) -out NEW” writes it without a passphrase"
        )
      }
      guard text.contains("PRIVATE KEY"),
        let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem)
      else { throw FileError(path: file, reason: "it holds no private key in PEM form") }
      return key
    }

    private static func day(_ time: Double) -> String {
      Date(timeIntervalSince1970: time).formatted(.iso8601.year().month().day())
    }
  }
#else
  /// The certificate in a build without encryption, which refuses all certificates.
  struct PageCertificate: Sendable {
    let names: [String] = []

    init(certificate file: String, key: String) throws {
      throw FileError(
        path: file,
        reason:
          "this build of Backline does not encrypt the page; “make run TLS=1” builds one that does")
    }

    func addHandler(to pipeline: ChannelPipeline.SynchronousOperations) throws {}
    func covers(_ host: String) -> Bool { false }
  }
#endif
