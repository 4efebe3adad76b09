// What ECharts hands to the renderItem of a custom series, as far as pictures use it.

export interface RenderItemApi {
  value(dimension: number): number | string;
  /** Pixels of a point of the axes. */
  coord(point: number[]): number[];
  /** Pixels of an extent along the axes. */
  size(extent: number[]): number | number[];
}
