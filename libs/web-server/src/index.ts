export { pacedChunks } from './body-pace.js';
export { BodyLimit, openBody, StreamedBody } from './body-reader.js';
export { CatchAll } from './catch-all.js';
export { crossOriginSettings } from './cross-origin.js';
export { diagnosis } from './diagnosis.js';
export { checkMatch, preconditionErrors, requireMatch } from './entity-tags.js';
export { Fault, InterfaceError, rejectParameter } from './errors.js';
export type { ErrorRow, ErrorStyle, FaultKind, RenderedError } from './errors.js';
export { faultRow } from './fault-row.js';
export { customaryHeaders, spelledHeader } from './header-case.js';
export { listen } from './listen.js';
export { createListener, type ListenerOptions, type WebPart } from './listener.js';
export { listenerSettings } from './listener-settings.js';
export { listenPlain } from './plain-http.js';
export { problemStyle } from './problem-json.js';
export { profilePathRewriter } from './profile-paths.js';
export { PublicOrigins, publicOriginSettings } from './public-origins.js';
export { InputPipe } from './input-pipe.js';
export { parseJson } from './json-body.js';
export {
  FirstValue,
  LastValue,
  LeftOutIf,
  NamedBefore,
  ReadAs,
  ReadFromAll,
  ReadText,
  SetByServer,
  stacked,
  WholeNumber,
} from './parameter-decorators.js';
export { ParameterSource } from './parameter-source.js';
export { QueryParameters, queryParameters, QuerySource } from './query-parameters.js';
export { webNamesOf } from './web-interface.js';
export { resetConnection } from '@ringdown/node-http';
