import {
  isTraceBody,
  traceBodyProblem,
  type TraceBody,
  type TracedAddress,
  type TracedMessage,
} from '@ringdown/contracts/traces';
import type { CollectorMetrics } from './collector-metrics.js';
import { JsonInlet, type JsonInletOptions } from './json-inlet.js';

export interface TraceInletOptions extends JsonInletOptions<TraceBody> {
  readonly metrics: Pick<CollectorMetrics, 'traced'>;
}

/** The ingress of messages of calls. */
export class TraceInlet extends JsonInlet<TraceBody> {
  constructor({ metrics, ...options }: TraceInletOptions) {
    super(options, {
      content: 'messages of calls',
      name: 'a batch of messages',
      problemOf: traceBodyProblem,
      isBody: isTraceBody,
      known: ({ v, frontEnd, messages }) => ({ v, frontEnd, messages: messages.map(knownMessage) }),
      countOf: ({ messages }) => messages.length,
      onOutcome: (outcome, count) => metrics.traced(outcome, count),
    });
  }
}

function knownMessage({ callId, at, source, destination, content, point, payload }: TracedMessage): TracedMessage {
  const [from, to] = [knownAddress(source), knownAddress(destination)];
  return { callId, at, source: from, destination: to, content, point, payload };
}

function knownAddress({ ip, port }: TracedAddress): TracedAddress {
  return { ip, port };
}
