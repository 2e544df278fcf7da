import type { ErrorRow } from '@ringdown/http-server';

/** The query API's own errors; those that every interface has are in `problemFaults`. */
export const queryErrors = {
  badParameter: { status: 400, code: 'bad-parameter', message: 'A parameter is wrong.' },
  badCursor: {
    status: 400,
    code: 'bad-cursor',
    message: 'cursor must be the `next` of a page that was asked for with the same filters.',
  },
  noSuchCall: { status: 404, code: 'no-such-call', message: 'No record of such a call has been received.' },
  noSuchFrontEnd: { status: 404, code: 'no-such-front-end', message: 'Nothing has been heard of such a front end.' },
  tooMuch: {
    status: 400,
    code: 'too-much',
    message: 'The answer takes too long to find: ask for a shorter time, or with more filters.',
  },
  mayNotReveal: {
    status: 403,
    code: 'may-not-reveal',
    message: 'Who took part in calls is shown only to users with the role `reveal`.',
  },
  tooManyExports: {
    status: 503,
    code: 'too-many-exports',
    message: 'As many exports are running as can be served; try again later.',
  },
  tooManyReaders: {
    status: 503,
    code: 'too-many-readers',
    message: 'The live stream has as many readers as it can serve; try again later.',
  },
} satisfies Record<string, ErrorRow>;
