/** Reports, costs and insights as every surface draws them. */
export { costTables, renderCosts } from './cost-screen.ts';
export { renderInsights } from './insights-screen.ts';
export { renderReportChart } from './report-chart.ts';
export { reportCsv } from './report-csv.ts';
export { failureName, figureLines, renderReport, reportCells, reportMarkdown } from './report-screen.ts';
