import type { SettingValues } from '@ringdown/settings';
import type { traceSettings } from '@ringdown/feed-client/settings';

/** How messages of calls are sent beside the records. */
export interface Tracing {
  readonly rtcp: boolean;
  readonly queueLength: number;
}

/** The option `tracing`, left out if messages are not sent. */
export function tracingOption({ trace, traceRtcp, traceQueueLength }: SettingValues<typeof traceSettings>): {
  readonly tracing?: Tracing;
} {
  return trace === 'off' ? {} : { tracing: { rtcp: traceRtcp === 'on', queueLength: traceQueueLength } };
}
