/** Charts with a table behind each, drawn in the editor's colours. Importing this defines their elements. */
export type { Bar } from './bar-chart';
export { BarChart } from './bar-chart';
export type { ChartColour, Series } from './chart-element';
export type { ChartTable } from './chart-figure';
export { ChartFigure } from './chart-figure';
export type { Column } from './column-chart';
export { ColumnChart } from './column-chart';
export { Gauge } from './gauge';
export type { Score } from './score-chart';
export { ScoreChart } from './score-chart';
export type { TimelinePoint } from './timeline-chart';
export { TimelineChart } from './timeline-chart';
