import type { Failure } from '@ringdown/generated-calls';
import type { FrontEnd, Trunk } from './places.js';

/** Why calls fail, with the frequencies of an ordinary day. */
export const REASONS = [
  'busy',
  'busy',
  'busy',
  'away',
  'away',
  'cancelled',
  'cancelled',
  'unknown',
  'timeout',
] as const;

export type Reason = (typeof REASONS)[number];

/** How long the failed call lasted, seconds. */
export const SECONDS_UNTIL: Readonly<Record<Reason, readonly [number, number]>> = {
  busy: [1, 3],
  away: [18, 30],
  cancelled: [6, 25],
  unknown: [0.2, 0.6],
  timeout: [30, 32],
};

const FAILURES: Readonly<Record<Reason, Failure>> = {
  busy: { code: 486, phrase: 'Busy Here', diagnostics: '51004;reason="The user is busy on another call"' },
  away: { code: 480, phrase: 'Temporarily Unavailable', diagnostics: '15030;reason="The user did not answer"' },
  cancelled: { code: 487, phrase: 'Request Terminated', diagnostics: '51004;reason="The caller cancelled the call"' },
  unknown: { code: 404, phrase: 'Not Found', diagnostics: '1003;reason="User does not exist"' },
  timeout: { code: 408, phrase: 'Request Timeout', diagnostics: '1034;reason="No endpoint replied to the invitation"' },
};

export function failureFor(reason: Reason, { name }: FrontEnd): Failure {
  const failure = FAILURES[reason];
  return { ...failure, diagnostics: `${failure.diagnostics};source="${name}"` };
}

export function trunkFailure({ name, gateway }: Trunk, frontEnd: FrontEnd): Failure {
  return {
    code: 503,
    phrase: 'Service Unavailable',
    diagnostics: `10014;reason="The gateway responded with 503 Service Unavailable";gateway="${gateway}";trunk="${name}";source="${frontEnd.name}"`,
  };
}
