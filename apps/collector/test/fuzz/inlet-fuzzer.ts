import { RecordPublisher } from '@ringdown/feed-bus';
import { ensureFeedStreams } from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { Metrics } from '@ringdown/observability';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { defaultProfile } from '@ringdown/vendor-profile';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AnswerCounts } from '../../src/ingress/answer-counts.js';
import { CollectorMetrics } from '../../src/ingress/collector-metrics.js';
import { FeedInlet } from '../../src/ingress/feed-inlet.js';
import { FrontEndAdmission } from '../../src/ingress/front-end-admission.js';
import { FeedRefusal } from '../../src/ingress/feed-refusal.js';
import { answerCode, FuzzFailure, fuzzInputText, type Answers } from './answers.js';
import { hostileBody } from './hostile-bodies.js';

export interface InletFuzz {
  readonly answers: Answers;
  /** Heap in use after a full garbage collection, after a quarter and at the end, bytes. */
  readonly heap: { readonly early: number; readonly late: number };
}

const AT_ONCE = 64;
const LIMITS = { recordsMaxAgeHours: 1, recordsMaxBytes: 64 * 1024 * 1024 };

/** Passes the bodies from `first` to below `end` directly to the inlet, with a real bus behind it. */
export async function fuzzInlet(natsUrl: string, seed: number, first: number, end: number): Promise<InletFuzz> {
  const logger = quietLogger();
  const bus = await Bus.connect({ url: natsUrl, name: 'fuzz', logger });
  try {
    await ensureFeedStreams(bus, LIMITS);
    const publisher = new RecordPublisher({ bus, deadlineMs: 60_000 });
    const metrics = new CollectorMetrics(new Metrics());
    const inlet = new FeedInlet({
      publisher,
      profile: defaultProfile,
      maxBodyBytes: 400_000,
      metrics,
      logger,
      counts: new AnswerCounts(),
      admission: new FrontEndAdmission({ frontEnds: { admit: () => true }, rights: () => undefined }),
    });
    const answers = new Map<string, number>();
    const quarter = first + Math.floor((end - first) / 4);
    let early = 0;
    for (let at = first; at < end; at += AT_ONCE) {
      if (early === 0 && at >= quarter) early = heapInUse();
      const some = Array.from({ length: Math.min(AT_ONCE, end - at) }, (_, i) => at + i);
      for (const answer of await Promise.all(some.map((index) => receive(inlet, seed, index)))) {
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    }
    return { answers, heap: { early, late: heapInUse() } };
  } finally {
    await bus.close();
  }
}

async function receive(inlet: FeedInlet, seed: number, index: number): Promise<string> {
  const request = {
    body: hostileBody(seed, index),
    receivedAt: Date.now(),
    sentBy: { remoteAddress: '127.0.0.1', certificateSubject: undefined },
    recordsUrl: () => 'http://a/RequestMessage',
  };
  const answer = await inlet.receive(request).catch((error: unknown) => {
    if (error instanceof FeedRefusal) return error.answer();
    throw new FuzzFailure(`${String(error)} instead of the answer ${fuzzInputText(seed, index)}`, { cause: error });
  });
  return answerCode(answer.status, answer.body, seed, index);
}

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
