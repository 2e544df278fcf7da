export { pacedChunks } from '../input/body-pace.js';
export { BodyLimit, openBody, StreamedBody } from '../input/body-reader.js';
export { InputPipe } from '../input/input-pipe.js';
export { parseJson } from '../input/json-body.js';
export {
  FirstValue,
  LastValue,
  LeftOutIf,
  NamedBefore,
  ReadAs,
  ReadFromAll,
  ReadText,
  Renamed,
  SetByServer,
  stacked,
  WholeNumber,
} from '../input/parameter-decorators.js';
export { ParameterSource } from '../input/parameter-source.js';
export { QueryParameters, queryParameters, QuerySource } from '../input/query-parameters.js';
