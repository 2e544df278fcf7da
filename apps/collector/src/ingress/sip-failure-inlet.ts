import { isSipFailureBody, sipFailureBodyProblem, type SipFailureBody } from '@ringdown/contracts/sip-failures';
import type { CollectorMetrics } from './collector-metrics.js';
import { JsonInlet, type JsonInletOptions } from './json-inlet.js';

export interface SipFailureInletOptions extends JsonInletOptions<SipFailureBody> {
  readonly metrics: Pick<CollectorMetrics, 'sipFailuresReported'>;
}

/** The ingress of reports of failed SIP requests (ADR 0061). */
export class SipFailureInlet extends JsonInlet<SipFailureBody> {
  constructor({ metrics, ...options }: SipFailureInletOptions) {
    super(options, {
      content: 'reports of failed SIP requests',
      name: 'a report of failed SIP requests',
      problemOf: sipFailureBodyProblem,
      isBody: isSipFailureBody,
      known: ({ v, id, frontEnd, failures }) => ({
        v,
        id,
        frontEnd,
        failures: failures.map(({ method, status, peer, count }) => ({ method, status, peer, count })),
      }),
      countOf: ({ failures }) => failures.length,
      onOutcome: (outcome) => metrics.sipFailuresReported(outcome),
    });
  }
}
