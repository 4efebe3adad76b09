// Solves symmetric positive definite systems by Cholesky decomposition; matrices are stored row by row.

/** Turns a matrix into its lower Cholesky factor in place; only its lower half is read. Errors: when it is not positive definite. */
export function choleskyOf(lower: Float64Array, size: number): Float64Array {
  for (let row = 0; row < size;) {
    const rows = Math.min(size - row, 4);
    const ready = rows === 4 ? takeFours(lower, size, row) : 0;
    for (let own = row; own < row + rows; own += 1) finish(lower, size, own, ready);
    row += rows;
  }
  for (let row = 0; row < size; row += 1) lower.fill(0, row * size + row + 1, (row + 1) * size);
  return lower;
}

/**
 * Computes four rows at once, four columns at a time: sixteen independent sums share eight loaded numbers, which takes less than half the
 * time of one sum after another. Returns how many columns are done. TRICKY: sums are put into the matrix here, because a call that is not
 * inlined allocates each number that it takes.
 */
function takeFours(lower: Float64Array, size: number, row: number): number {
  const [top, second, third, last] = [row * size, (row + 1) * size, (row + 2) * size, (row + 3) * size];
  let column = 0;
  for (; column + 4 <= row; column += 4) {
    const first = column * size;
    const [next, after, end] = [first + size, first + 2 * size, first + 3 * size];
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let a4 = 0;
    let b1 = 0;
    let b2 = 0;
    let b3 = 0;
    let b4 = 0;
    let c1 = 0;
    let c2 = 0;
    let c3 = 0;
    let c4 = 0;
    let d1 = 0;
    let d2 = 0;
    let d3 = 0;
    let d4 = 0;
    for (let at = 0; at < column; at += 1) {
      const one = lower[first + at] ?? 0;
      const two = lower[next + at] ?? 0;
      const three = lower[after + at] ?? 0;
      const four = lower[end + at] ?? 0;
      let own = lower[top + at] ?? 0;
      a1 += own * one;
      a2 += own * two;
      a3 += own * three;
      a4 += own * four;
      own = lower[second + at] ?? 0;
      b1 += own * one;
      b2 += own * two;
      b3 += own * three;
      b4 += own * four;
      own = lower[third + at] ?? 0;
      c1 += own * one;
      c2 += own * two;
      c3 += own * three;
      c4 += own * four;
      own = lower[last + at] ?? 0;
      d1 += own * one;
      d2 += own * two;
      d3 += own * three;
      d4 += own * four;
    }
    lower[top + column] = (lower[top + column] ?? 0) - a1;
    lower[top + column + 1] = (lower[top + column + 1] ?? 0) - a2;
    lower[top + column + 2] = (lower[top + column + 2] ?? 0) - a3;
    lower[top + column + 3] = (lower[top + column + 3] ?? 0) - a4;
    lower[second + column] = (lower[second + column] ?? 0) - b1;
    lower[second + column + 1] = (lower[second + column + 1] ?? 0) - b2;
    lower[second + column + 2] = (lower[second + column + 2] ?? 0) - b3;
    lower[second + column + 3] = (lower[second + column + 3] ?? 0) - b4;
    lower[third + column] = (lower[third + column] ?? 0) - c1;
    lower[third + column + 1] = (lower[third + column + 1] ?? 0) - c2;
    lower[third + column + 2] = (lower[third + column + 2] ?? 0) - c3;
    lower[third + column + 3] = (lower[third + column + 3] ?? 0) - c4;
    lower[last + column] = (lower[last + column] ?? 0) - d1;
    lower[last + column + 1] = (lower[last + column + 1] ?? 0) - d2;
    lower[last + column + 2] = (lower[last + column + 2] ?? 0) - d3;
    lower[last + column + 3] = (lower[last + column + 3] ?? 0) - d4;
    for (let of = column; of < column + 4; of += 1)
      for (let own = row; own < row + 4; own += 1) finishEntry(lower, size, own, of, column);
  }
  return column;
}

/** Computes the remaining entries of a row from a column on, including the diagonal. */
function finish(lower: Float64Array, size: number, row: number, from: number): void {
  for (let column = from; column < row; column += 1) finishEntry(lower, size, row, column, 0);
  let left = lower[row * size + row] ?? 0;
  for (let at = 0; at < row; at += 1) left -= (lower[row * size + at] ?? 0) ** 2;
  if (!(left > 0)) throw new Error('the matrix is not positive definite');
  lower[row * size + row] = Math.sqrt(left);
}

/** Computes an entry below the diagonal, from which the products of the columns before `from` are taken already. */
function finishEntry(lower: Float64Array, size: number, row: number, column: number, from: number): void {
  let left = lower[row * size + column] ?? 0;
  for (let at = from; at < column; at += 1) left -= (lower[row * size + at] ?? 0) * (lower[column * size + at] ?? 0);
  lower[row * size + column] = left / (lower[column * size + column] ?? 1);
}

/** Solves `lower` x = `right` by forward substitution. */
export function forwards(lower: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const found = right.slice();
  for (let row = 0; row < size; row += 1) {
    let left = found[row] ?? 0;
    for (let at = 0; at < row; at += 1) left -= (lower[row * size + at] ?? 0) * (found[at] ?? 0);
    found[row] = left / (lower[row * size + row] ?? 1);
  }
  return found;
}

/** Solves the whole system. */
export function solved(lower: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const found = forwards(lower, right);
  for (let row = size - 1; row >= 0; row -= 1) {
    let left = found[row] ?? 0;
    for (let at = row + 1; at < size; at += 1) left -= (lower[at * size + row] ?? 0) * (found[at] ?? 0);
    found[row] = left / (lower[row * size + row] ?? 1);
  }
  return found;
}

/** The inverse of the matrix that was decomposed; lower half. Of each of its columns only that half is computed. */
export function inverseOf(lower: Float64Array, size: number): Float64Array {
  const found = new Float64Array(size * size);
  const column = new Float64Array(size);
  for (let unit = 0; unit < size; unit += 1) {
    for (let row = unit; row < size; row += 1) {
      let left = row === unit ? 1 : 0;
      for (let at = unit; at < row; at += 1) left -= (lower[row * size + at] ?? 0) * (column[at] ?? 0);
      column[row] = left / (lower[row * size + row] ?? 1);
    }
    for (let row = size - 1; row >= unit; row -= 1) {
      const own = (column[row] ?? 0) / (lower[row * size + row] ?? 1);
      found[row * size + unit] = own;
      for (let at = unit; at < row; at += 1) column[at] = (column[at] ?? 0) - (lower[row * size + at] ?? 0) * own;
    }
  }
  return found;
}
