/** Read-only pages of all runs, and the same as a Mini App; loaded when the first page is asked for. */
export { createBoard, type Board, type BoardParts } from './create-board.ts';
export { BOARD_ROUTES } from './routes.ts';
