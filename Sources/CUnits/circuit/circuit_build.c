/* The matrix between a circuit's ports: its equations, solved once. */
#include <math.h>
#include <string.h>

#include "circuit/circuit_builder.h"

/* Inverts the leading `count` rows and columns in place by Gauss-Jordan elimination, with
   pivots. */
static void invert(double matrix[BL_CIRCUIT_UNKNOWNS][BL_CIRCUIT_UNKNOWNS], int count) {
    double inverse[BL_CIRCUIT_UNKNOWNS][BL_CIRCUIT_UNKNOWNS] = {{0}};
    for (int row = 0; row < count; row += 1) {
        inverse[row][row] = 1;
    }
    for (int column = 0; column < count; column += 1) {
        int pivot = column;
        for (int row = column + 1; row < count; row += 1) {
            pivot = fabs(matrix[row][column]) > fabs(matrix[pivot][column]) ? row : pivot;
        }
        for (int place = 0; place < count; place += 1) {
            double old = matrix[column][place], old_inverse = inverse[column][place];
            matrix[column][place] = matrix[pivot][place];
            matrix[pivot][place] = old;
            inverse[column][place] = inverse[pivot][place];
            inverse[pivot][place] = old_inverse;
        }
        double scale = 1 / matrix[column][column];
        for (int place = 0; place < count; place += 1) {
            matrix[column][place] *= scale;
            inverse[column][place] *= scale;
        }
        for (int row = 0; row < count; row += 1) {
            double factor = row == column ? 0 : matrix[row][column];
            for (int place = 0; place < count && factor != 0; place += 1) {
                matrix[row][place] -= factor * matrix[column][place];
                inverse[row][place] -= factor * inverse[column][place];
            }
        }
    }
    memcpy(matrix, inverse, sizeof inverse);
}

/* The voltage that a port senses from a source, once the matrix is inverted. */
static double transfer(const bl_circuit_builder *self, bl_terms sensed, bl_terms source) {
    double sum = 0;
    for (int in = 0; in < sensed.count; in += 1) {
        for (int out = 0; out < source.count; out += 1) {
            if (sensed.unknowns[in] >= 0 && source.unknowns[out] >= 0) {
                sum += sensed.weights[in] * source.weights[out] *
                       self->matrix[sensed.unknowns[in]][source.unknowns[out]];
            }
        }
    }
    return sum;
}

/* The incoming terms for a current along a path, which leaves its start. */
static bl_terms leaving(bl_terms way) {
    for (int place = 0; place < way.count; place += 1) {
        way.weights[place] = -way.weights[place];
    }
    return way;
}

static void fill(bl_circuit_builder *self, const bl_part *parts, bl_port_matrix *ports) {
    bl_circuit *circuit = self->circuit;
    circuit->states = circuit->laws = circuit->turned = 0;
    circuit->lanes = (bl_law_lanes){.epsilon = 1};
    bl_circuit_add_parts(self, parts);
    invert(self->matrix, self->unknowns);
    bl_terms rows[BL_CIRCUIT_ROWS] = {0}, columns[BL_CIRCUIT_COLUMNS] = {0};
    for (int index = 0; index < circuit->states; index += 1) {
        rows[BL_ROW_STATE + index] = self->capacitors[index];
        columns[BL_COLUMN_STATE + index] = self->capacitors[index];
    }
    for (int index = 0; index < circuit->laws; index += 1) {
        rows[BL_ROW_LAW + index] = self->senses[index];
        columns[BL_COLUMN_LAW + index] = leaving(self->ways[index]);
    }
    for (int index = 0; index < circuit->turned; index += 1) {
        rows[BL_ROW_TURNED + index] = self->turned[index];
        columns[BL_COLUMN_TURNED + index] = self->turned[index];
    }
    rows[BL_ROW_OUTPUT] = (bl_terms){1, {BL_NODE_OUTPUT - 1}, {1}};
    columns[BL_COLUMN_INPUT] = (bl_terms){1, {self->input}, {1}};
    columns[BL_COLUMN_SUPPLY] = self->supplies;
    for (int row = 0; row < BL_CIRCUIT_ROWS; row += 1) {
        for (int column = 0; column < BL_CIRCUIT_COLUMNS; column += 1) {
            ports->of[row][column] = transfer(self, rows[row], columns[column]);
        }
    }
}

void bl_circuit_build(bl_circuit *circuit, const bl_part *parts, double sample_rate) {
    bl_circuit_builder resting = {circuit, sample_rate, .rests = true};
    fill(&resting, parts, &circuit->resting);
    bl_circuit_builder moving = {circuit, sample_rate, .rests = false};
    fill(&moving, parts, &circuit->moving);
}
