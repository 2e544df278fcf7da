import {
  faultRow,
  type ErrorRow,
  type ErrorStyle,
  type FaultKind,
  type InterfaceError,
  type RenderedError,
} from '@ringdown/web-server/errors';
import type { WebNames } from '@ringdown/vendor-profile';
import { negotiate } from './negotiate.js';
import { isXml, mediaTypes } from './representation.js';
import { xmlDocument, type XmlElement } from './xml-document.js';

/** The error table of interface A (web-interface.md, section 10), in addition to the faults of every interface. */
export const reasons = {
  deserializationFailure: {
    status: 400,
    code: 'BadRequest',
    subcode: 'DeserializationFailure',
    message: 'The body could not be read.',
  },
  parameterValidationFailure: {
    status: 400,
    code: 'BadRequest',
    subcode: 'ParameterValidationFailure',
    message: 'A parameter is missing or wrong.',
  },
  applicationNotFound: {
    status: 404,
    code: 'NotFound',
    subcode: 'ApplicationNotFound',
    message: 'The application does not exist. Create one first.',
  },
  tooManyApplications: {
    status: 410,
    code: 'Gone',
    subcode: 'TooManyApplications',
    message: 'The user has started too many applications, and this was the oldest.',
  },
  inactiveApplicationExpired: {
    status: 410,
    code: 'Gone',
    subcode: 'InactiveApplicationExpired',
    message: 'The application was not used for too long.',
  },
  pollReplaced: {
    status: 409,
    code: 'Conflict',
    subcode: 'PGetReplaced',
    message: 'Another request for the events of this application has replaced this one.',
  },
  apiVersionNotSupported: {
    status: 404,
    code: 'NotFound',
    subcode: 'APIVersionNotSupported',
    message: 'This version is not supported.',
  },
  alreadyExists: { status: 409, code: 'Conflict', subcode: 'AlreadyExists', message: 'This already exists.' },
  limitExceeded: { status: 409, code: 'Conflict', subcode: 'LimitExceeded', message: 'The limit is reached.' },
  personNotFound: { status: 404, code: 'NotFound', message: 'No person has this address.' },
} as const satisfies Record<string, ErrorRow>;

const faults: Readonly<Record<FaultKind, ErrorRow>> = {
  malformed: faultRow('malformed', 'BadRequest'),
  'unreadable-body': reasons.deserializationFailure,
  'invalid-parameter': reasons.parameterValidationFailure,
  unauthorized: faultRow('unauthorized', 'Unauthorized'),
  forbidden: faultRow('forbidden', 'Forbidden'),
  'not-found': faultRow('not-found', 'NotFound'),
  'method-not-allowed': faultRow('method-not-allowed', 'MethodNotAllowed'),
  'not-acceptable': faultRow('not-acceptable', 'NotAcceptable'),
  timeout: faultRow('timeout', 'ClientTimeout'),
  'too-large': faultRow('too-large', 'EntityTooLarge'),
  'unsupported-media-type': faultRow('unsupported-media-type', 'UnsupportedMediaType'),
  'too-many-requests': faultRow('too-many-requests', 'TooManyRequests'),
  internal: faultRow('internal', 'ServiceFailure'),
  'not-implemented': faultRow('not-implemented', 'NotImplemented'),
  unavailable: faultRow('unavailable', 'ServiceUnavailable'),
};

/**
 * Errors as `reason` bodies in the format that the client accepts, JSON when it accepts neither; 401 is a page where the
 * client asks for one.
 */
export function reasonStyle(prefix: string, web: WebNames): ErrorStyle {
  return {
    prefix,
    faults,
    variesBy: 'accept',
    render: (error, request) => {
      const offers = error.row.status === 401 ? [...mediaTypes(web), PAGE] : mediaTypes(web);
      const mediaType = negotiate(request.headers.accept, offers) ?? 'application/json';
      if (mediaType === PAGE) return { contentType: `${PAGE}; charset=utf-8`, body: errorPage(error) };
      return renderReason(error, mediaType, web);
    },
  };
}

const PAGE = 'text/html';

function renderReason(error: InterfaceError, mediaType: string, web: WebNames): RenderedError {
  if (isXml(mediaType)) {
    return { contentType: `${mediaType}; charset=utf-8`, body: xmlDocument(reasonElement(error, web.xmlNamespace)) };
  }
  const { code, subcode } = error.row;
  const parameters = error.details.parameters?.map(({ name, reason }) => ({ name, reason }));
  return { contentType: mediaType, body: JSON.stringify({ code, subcode, message: error.message, parameters }) };
}

function reasonElement(error: InterfaceError, xmlns: string): XmlElement {
  const { code, subcode } = error.row;
  const { parameters } = error.details;
  const children: XmlElement[] = [{ name: 'code', children: code }];
  if (subcode !== undefined) children.push({ name: 'subcode', children: subcode });
  children.push({ name: 'message', children: error.message });
  if (parameters !== undefined) {
    const parts = parameters.map(({ name, reason }) => ({
      name: 'parameter',
      children: [
        { name: 'name', children: name },
        { name: 'reason', children: reason },
      ],
    }));
    children.push({ name: 'parameters', children: parts });
  }
  return { name: 'reason', attributes: { xmlns }, children };
}

/**
 * Clients read the header; the page is for a person with a browser. It contains only our own texts, so it needs no
 * escaping.
 */
function errorPage({ row }: InterfaceError): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${row.status} ${row.code}</title></head>
<body><h1>${row.status} ${row.code}</h1><p>${row.message}</p></body></html>
`;
}
