import type { CallEnd, Failure } from '@ringdown/generated-calls';
import type { Person } from './people.js';
import { CONFERENCE_SERVER, RELAY, type FrontEnd, type Trunk } from './places.js';

/** One end of a planned call. */
export type Side = CallEnd &
  (
    | { readonly kind: 'person'; readonly person: Person }
    | { readonly kind: 'outside'; readonly number: string; readonly trunk: Trunk }
    | { readonly kind: 'conference'; readonly uri: string }
  );

export type EndedBy = 'Caller' | 'Callee';

/** How the network of a call changes, from the invitation on: 0 to 1 of `badness`. */
export type Course = 'steady' | 'worsening' | 'dip';

export interface Transfer {
  readonly to: string;
  readonly by: EndedBy;
}

export interface Talk {
  readonly kind: 'talk';
  readonly ringingAt: number;
  readonly answeredAt: number;
  readonly endedAt: number;
  readonly endedBy: EndedBy;
  readonly transfer?: Transfer;
}

export interface Failed {
  readonly kind: 'failed';
  /** Left out: it did not ring. */
  readonly ringingAt?: number;
  readonly endedAt: number;
  readonly failure: Failure;
}

/** Everything about one call; records and messages are written from it. */
export interface CallPlan {
  readonly callId: string;
  readonly conversationId: string;
  readonly conferenceId?: string;
  /** Seed of its measurements. */
  readonly seed: number;
  readonly frontEnd: FrontEnd;
  readonly caller: Side;
  readonly callee: Side;
  readonly invitedAt: number;
  readonly outcome: Talk | Failed;
  readonly codec: string;
  readonly hasVideo: boolean;
  readonly course: Course;
  /** The end of the course; an earlier end of the call does not hasten it. */
  readonly changesUntil: number;
  /** At the worst moment of the course, beside that of the networks of both ends. */
  readonly badness: number;
  readonly hold?: { readonly from: number; readonly to: number };
  /** Headers of a call that follows a transfer. */
  readonly referredBy?: string;
  readonly replaces?: string;
  /** Whether quality is reported during the call and SIP messages were captured. */
  readonly isDetailed: boolean;
}

export function sideAddress(side: Side): string {
  if (side.kind === 'person') return side.person.address;
  return side.kind === 'outside' ? `${side.number}@example.test;user=phone` : side.uri;
}

/** The time by which the system lists the call: of its first media, or of its invitation if it failed. */
export function beganAt({ invitedAt, outcome }: CallPlan): number {
  return outcome.kind === 'talk' ? outcome.answeredAt : invitedAt;
}

/** Where the signaling of this end comes from. */
export function signalingIp(side: Side): string {
  if (side.kind === 'outside') return side.trunk.gateway;
  if (side.kind === 'conference') return CONFERENCE_SERVER;
  return side.person.connection === 'home' ? RELAY : side.person.ip;
}

export const CANCELLED: Failure = {
  code: 487,
  phrase: 'Request Terminated',
  diagnostics: '51004;reason="The caller cancelled the call"',
};

/** The same call, but it ends now: hung up, or cancelled if it has not been answered. */
export function endedNow(plan: CallPlan, now: number): CallPlan {
  const { outcome } = plan;
  if (outcome.endedAt <= now) return plan;
  if (outcome.kind === 'talk' && outcome.answeredAt <= now) {
    const { transfer: _none, ...talk } = outcome;
    return { ...plan, outcome: { ...talk, endedAt: now, endedBy: 'Caller' } };
  }
  const ringingAt = outcome.ringingAt !== undefined && outcome.ringingAt <= now ? { ringingAt: outcome.ringingAt } : {};
  return { ...plan, outcome: { kind: 'failed', ...ringingAt, endedAt: now, failure: CANCELLED } };
}
