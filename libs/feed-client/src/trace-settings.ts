import { setting } from '@ringdown/settings';

export const traceSettings = {
  trace: setting.choice('TRACE', ['on', 'off'], {
    task: 'delivery',
    default: 'off',
    about:
      'Whether the captured SIP messages of calls are sent to the collector beside the records (docs/guides/tracing.md)',
  }),
  traceRtcp: setting.choice('TRACE_RTCP', ['on', 'off'], {
    task: 'delivery',
    default: 'off',
    about: 'With TRACE=on: whether the RTCP of calls is sent as well',
  }),
  traceQueueLength: setting.integer('TRACE_QUEUE_LEN', {
    task: 'delivery',
    default: 10_000,
    min: 1,
    max: 1_000_000,
    about: 'With TRACE=on: maximum number of messages that wait for the collector; further ones are dropped',
  }),
};
