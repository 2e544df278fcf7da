export { checkMatch, preconditionErrors, requireMatch } from '../entity-tags.js';
export { Fault, InterfaceError, rejectParameter } from '../errors.js';
export type { ErrorRow, ErrorStyle, FaultKind, RenderedError } from '../errors.js';
export { faultRow } from '../fault-row.js';
export { problemStyle } from '../problem-json.js';
