import type { Problem } from '@ringdown/answers/problem';
import { preconditionErrors, type ErrorRow } from '@ringdown/web-server/errors';
import { MOST_RULES } from './settings/alert-settings.js';
import { MOST_TRUNK_LIMITS, SEARCHES_PER_OPERATOR } from './settings/user-limit-settings.js';

/** The query API's own errors; those common to all interfaces are in `problemFaults`. */
export const queryErrors = {
  badCursor: {
    status: 400,
    code: 'bad-cursor',
    message: 'cursor must be the `next` of a page that was requested with the same filters.',
  },
  noSuchCall: { status: 404, code: 'no-such-call', message: 'No record of this call has been received.' },
  noSuchFrontEnd: { status: 404, code: 'no-such-front-end', message: 'No record of this front end has been received.' },
  noSuchCapture: {
    status: 404,
    code: 'no-such-capture',
    message: 'This replica has no such capture: it was deleted, is older than its last 100, or from before a restart.',
  },
  noSuchSearch: { status: 404, code: 'no-such-search', message: 'There is no such saved search that you may read.' },
  notYourSearch: {
    status: 403,
    code: 'not-your-search',
    message: 'Only the operator who saved a search may change or delete it.',
  },
  tooManySearches: {
    status: 409,
    code: 'too-many-searches',
    message: `You have ${SEARCHES_PER_OPERATOR} saved searches, the maximum; delete one first.`,
  },
  noSuchRule: { status: 404, code: 'no-such-rule', message: 'There is no such alert rule.' },
  ruleFromFile: {
    status: 409,
    code: 'rule-from-file',
    message: 'This rule is from the file ALERT_RULES; change it there.',
  },
  noSuchAlert: { status: 404, code: 'no-such-alert', message: 'There is no such alert.' },
  tooManyRules: {
    status: 409,
    code: 'too-many-rules',
    message: `There are ${MOST_RULES} alert rules, the maximum; delete one first.`,
  },
  noSuchLimit: { status: 404, code: 'no-such-limit', message: 'This trunk has no limit.' },
  tooManyLimits: {
    status: 409,
    code: 'too-many-limits',
    message: `There are limits of ${MOST_TRUNK_LIMITS} trunks, the maximum; delete one first.`,
  },
  ...preconditionErrors,
  noRoomForCapture: {
    status: 507,
    code: 'no-room-for-capture',
    message: 'The disk for temporary files has no room for the capture.',
  },
  tooManyCaptures: {
    status: 503,
    code: 'too-many-captures',
    message: 'The maximum number of captures is being read (CAPTURES_AT_ONCE); try again later.',
  },
  tooMuch: {
    status: 400,
    code: 'too-much',
    message: 'The query takes too long: request a shorter time, or add filters.',
  },
  tooSlow: {
    status: 503,
    code: 'answer-too-slow',
    message: 'Preparing the response exceeds the time limit (PROCESSING_LIMIT_MS).',
  },
  mayNotReveal: {
    status: 403,
    code: 'may-not-reveal',
    message: 'The participants of calls are shown only to users with the role `reveal`.',
  },
  mayNotUpload: {
    status: 403,
    code: 'may-not-upload',
    message:
      'Captures may be uploaded only by users with the role `reveal`: their calls would show the token of each name.',
  },
  maySearchTokensOnly: {
    status: 403,
    code: 'may-search-tokens-only',
    message:
      'Without the role `reveal`, calls can be searched only by what is shown: the tokens of users, not their names.',
  },
  tooManyExports: {
    status: 503,
    code: 'too-many-exports',
    message: 'The maximum number of exports is running; try again later.',
  },
  tooManyExportsOfUser: {
    status: 429,
    code: 'too-many-exports-of-user',
    message: 'The maximum number of exports of one user is running (EXPORTS_PER_USER).',
  },
  tooManyLongQueriesOfUser: {
    status: 429,
    code: 'too-many-long-queries-of-user',
    message: 'The maximum number of long queries of one user is running; try again when one of them has ended.',
  },
  tooManyReadersOfUser: {
    status: 429,
    code: 'too-many-readers-of-user',
    message: 'The maximum number of live streams of one user is open (LIVE_READERS_PER_USER).',
  },
  tooManyReaders: {
    status: 503,
    code: 'too-many-readers',
    message: 'The live stream has the maximum number of readers; try again later.',
  },
} satisfies Record<string, ErrorRow & Pick<Problem, 'code'>>;
