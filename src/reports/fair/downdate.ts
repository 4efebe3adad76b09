// Solves the system of all agents' chats without those of one agent: as a whole, or only where the agent has chats.
import { choleskyOf, forwards, inverseOf, solved } from './cholesky.ts';

/** The system of all chats, of `size` columns. */
export interface WholeSystem {
  size: number;
  /** Lower half. */
  matrix: Float64Array;
  /** The columns that one agent's chats have, ascending. */
  columnsOf: readonly Int32Array[];
  /** Part of the direction that is the same for all agents. */
  direction: Float64Array;
}

/** What one agent's chats take away: outside of the agent's columns nothing. */
export interface OwnSystem {
  agent: number;
  /** Lower half of all columns. */
  matrix: Float64Array;
  /** By column. `unknown` times its square comes back: it was eliminated with the agent's level. */
  level: Float64Array;
  unknown: number;
  /** By column. */
  right: Float64Array;
  /** The direction is that of the whole system and this many times `level`. */
  along: number;
}

interface Downdated {
  /** The solution for `right`, by column; exact in the agent's columns, 0 in others if only these were solved. */
  solution: Float64Array;
  /** The squared length of the direction in the inverse of the remaining matrix. */
  squaredLength: number;
}

type Solver = (own: OwnSystem) => Downdated;

/** The matrix of an agent may be written over. Errors: when what remains is not positive definite. */
export function solverWithout(whole: WholeSystem): Solver {
  const { size, columnsOf } = whole;
  const few = columnsOf.map(({ length }) => length <= size / 2);
  // In operations: the inverse takes a third of the cube, each decomposition a sixth, columns alone two thirds of their own cube.
  const saved = columnsOf.reduce(
    (sum, { length }, agent) => sum + (few[agent] ? size ** 3 / 6 - (length ** 3 * 2) / 3 : 0),
    0,
  );
  const byColumns = saved > size ** 3 / 3 ? solverByColumns(whole) : undefined;
  return (own) => (byColumns && few[own.agent] ? byColumns(own) : solvedAsWhole(whole, own));
}

export function solvedAsWhole({ size, matrix, direction }: WholeSystem, own: OwnSystem): Downdated {
  const { matrix: left, level, unknown, right, along } = own;
  for (let row = 0; row < size; row += 1) {
    const ofRow = unknown * (level[row] ?? 0);
    for (let column = 0; column <= row; column += 1) {
      const at = row * size + column;
      left[at] = (matrix[at] ?? 0) + ofRow * (level[column] ?? 0) - (left[at] ?? 0);
    }
  }
  const factor = choleskyOf(left, size);
  const towards = direction.map((common, column) => common + along * (level[column] ?? 0));
  return { solution: solved(factor, right), squaredLength: squared(forwards(factor, towards)) };
}

/**
 * Eliminates all columns but the agent's (Schur complement): the block of the whole inverse is inverted again, changed, and solved. What
 * the direction has outside of these columns keeps its length.
 */
export function solverByColumns({ size, matrix, columnsOf, direction }: WholeSystem): Solver {
  const inverse = inverseOf(choleskyOf(matrix.slice(), size), size);
  const ofInverse = (row: number, column: number): number =>
    inverse[row < column ? column * size + row : row * size + column] ?? 0;
  const reached = direction.map((_, row) =>
    direction.reduce((sum, common, column) => sum + ofInverse(row, column) * common, 0),
  );
  const common = dot(direction, reached);
  return ({ agent, matrix: own, level, unknown, right, along }) => {
    const columns = columnsOf[agent] ?? new Int32Array();
    const many = columns.length;
    const block = new Float64Array(many * many);
    const [ownLevel, ownRight, ownReached] = [new Float64Array(many), new Float64Array(many), new Float64Array(many)];
    for (let row = 0; row < many; row += 1) {
      const first = (columns[row] ?? 0) * size;
      for (let column = 0; column <= row; column += 1)
        block[row * many + column] = inverse[first + (columns[column] ?? 0)] ?? 0;
      ownLevel[row] = level[columns[row] ?? 0] ?? 0;
      ownRight[row] = right[columns[row] ?? 0] ?? 0;
      ownReached[row] = reached[columns[row] ?? 0] ?? 0;
    }
    const moved = timesLower(block, ownLevel);
    const squaredLength = common + 2 * along * dot(ownLevel, ownReached) + along ** 2 * dot(ownLevel, moved);
    for (let row = 0; row < many; row += 1) ownReached[row] = (ownReached[row] ?? 0) + along * (moved[row] ?? 0);
    const left = inverseOf(choleskyOf(block, many), many);
    const back = timesLower(left, ownReached);
    const outside = squaredLength - dot(ownReached, back);
    for (let row = 0; row < many; row += 1)
      for (let column = 0; column <= row; column += 1) {
        const taken = own[(columns[row] ?? 0) * size + (columns[column] ?? 0)] ?? 0;
        const at = row * many + column;
        left[at] = (left[at] ?? 0) + unknown * (ownLevel[row] ?? 0) * (ownLevel[column] ?? 0) - taken;
      }
    const factor = choleskyOf(left, many);
    const solution = new Float64Array(size);
    for (const [at, value] of solved(factor, ownRight).entries()) solution[columns[at] ?? 0] = value;
    return { solution, squaredLength: outside + squared(forwards(factor, back)) };
  };
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

const squared = (vector: Float64Array): number => dot(vector, vector);

/** A symmetric matrix, given by its lower half, times a vector. */
function timesLower(lower: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  const found = new Float64Array(size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      const entry = lower[row * size + column] ?? 0;
      found[row] = (found[row] ?? 0) + entry * (vector[column] ?? 0);
      if (column < row) found[column] = (found[column] ?? 0) + entry * (vector[row] ?? 0);
    }
  return found;
}
