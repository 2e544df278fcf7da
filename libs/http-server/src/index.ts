export { closeConnectionsAtStop } from './closing.js';
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
export { PublicOrigins, publicOriginSettings, publicOriginsSetting } from './public-origins.js';
export { crossOriginSettings } from './cross-origin.js';
export { diagnosis } from './diagnosis.js';
export { customaryHeaders, spelledHeader } from './header-case.js';
export type { WebInterface } from './web-interface.js';
export { parseJson, validated, type ValidateOptions } from './request-body.js';
