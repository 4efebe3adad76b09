// Solves symmetric positive definite systems by Cholesky's factor: matrices are rows one after another.

/** The lower factor of `matrix`, whose upper half is not read. */
export function choleskyOf(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      let left = matrix[row * size + column] ?? 0;
      for (let at = 0; at < column; at += 1) left -= (lower[row * size + at] ?? 0) * (lower[column * size + at] ?? 0);
      if (row !== column) lower[row * size + column] = left / (lower[column * size + column] ?? 1);
      else if (left > 0) lower[row * size + row] = Math.sqrt(left);
      else throw new Error('the matrix is not positive definite');
    }
  return lower;
}

/** `lower` times what is returned is `right`. */
export function forwards(lower: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const found = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    let left = found[row] ?? 0;
    for (let at = 0; at < row; at += 1) left -= (lower[row * size + at] ?? 0) * (found[at] ?? 0);
    found[row] = left / (lower[row * size + row] ?? 1);
  }
  return found;
}

/** The solution of the whole system. */
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
