import type { ErrorRow } from '@ringdown/web-server';

/** The query API's own errors; those common to all interfaces are in `problemFaults`. */
export const queryErrors = {
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
  tooSlow: {
    status: 503,
    code: 'answer-too-slow',
    message: 'What was asked for takes longer to make ready than one answer may (PROCESSING_LIMIT_MS).',
  },
  mayNotReveal: {
    status: 403,
    code: 'may-not-reveal',
    message: 'Who took part in calls is shown only to users with the role `reveal`.',
  },
  maySearchTokensOnly: {
    status: 403,
    code: 'may-search-tokens-only',
    message: 'Without the role `reveal` calls are found by what is shown: the tokens of users, not their names.',
  },
  tooManyExports: {
    status: 503,
    code: 'too-many-exports',
    message: 'As many exports are running as can be served; try again later.',
  },
  tooManyExportsOfUser: {
    status: 429,
    code: 'too-many-exports-of-user',
    message: 'You have as many exports running as one user may have (EXPORTS_PER_USER).',
  },
  tooManyReadersOfUser: {
    status: 429,
    code: 'too-many-readers-of-user',
    message: 'You have as many live streams open as one user may have (LIVE_READERS_PER_USER).',
  },
  tooManyReaders: {
    status: 503,
    code: 'too-many-readers',
    message: 'The live stream has as many readers as it can serve; try again later.',
  },
} satisfies Record<string, ErrorRow>;
