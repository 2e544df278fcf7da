export { Fault, InterfaceError } from './errors.js';
export type { ErrorDetails, ErrorRow, ErrorStyle, FaultKind, RenderedError } from './errors.js';
export {
  createListener,
  listen,
  listenReason,
  listenerSettings,
  type ListenerOptions,
  type WebPart,
} from './listener.js';
export { problemFaults, problemStyle } from './problem-json.js';
export { profilePathRewriter } from './profile-paths.js';
export { parseJson, validated, type ValidateOptions } from './request-body.js';
