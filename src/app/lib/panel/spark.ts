// The line of a spark: from zero to the largest number, gaps stay gaps, a lone number is a dot.

interface SparkLine {
  path: string;
  dots: { x: number; y: number }[];
}

const EDGE = 2;

/** In pixels of a drawing of this size, from its upper left corner. */
export function sparkLine(values: (number | null)[], width: number, height: number): SparkLine {
  const most = Math.max(0, ...values.filter((value) => value !== null)) || 1;
  const x = (index: number) =>
    values.length < 2 ? width / 2 : EDGE + (index / (values.length - 1)) * (width - 2 * EDGE);
  const y = (value: number) => height - EDGE - (value / most) * (height - 2 * EDGE);
  let path = '';
  const dots: SparkLine['dots'] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const isStart = values[index - 1] == null;
    if (isStart && values[index + 1] == null) dots.push({ x: x(index), y: y(value) });
    else path += `${isStart ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return { path, dots };
}
