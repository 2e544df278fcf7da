import { DEAD_LETTERS_STREAM } from '@ringdown/contracts/set-aside';
import { errorReason } from '@ringdown/errors';
import { DeadLetters, RecordPublisher, type StoredLetter } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { createLogger } from '@ringdown/observability';
import { readSettings, setting } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { runCommand, type CommandIo } from '../run-command.js';
import { readCommandLine, USAGE, type CommandLine } from './command-line.js';
import { replay, type ReplayOptions } from './replay.js';

const settings = {
  natsUrl: setting.servers('NATS_URL', ['nats', 'tls'], {
    task: 'bus',
    about: 'NATS server of the running system',
    secret: true,
  }),
  ...profileSettings,
};

/** Returns the exit code, as {@link runCommand} does; 1 also when one of several letters has failed. */
export function runDeadLettersCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'dead-letters', usage: USAGE }, argv, io, async () => {
    const line = readCommandLine(argv);
    const read = readSettings(settings, io.env);
    const logger = createLogger('dead-letters', { logLevel: 'warn', logFormat: 'json' });
    const bus = await Bus.connect({ url: read.natsUrl, name: 'ringdown dead-letters', logger });
    try {
      await assertDeadLettersKept(bus);
      const letters = new DeadLetters(bus);
      if (line.command === 'list') return await list(letters, line.limit, io);
      const replayed = { letters, publisher: new RecordPublisher({ bus }), profile: read.vendorProfile };
      return await forEach(line, { letters, replayed, io }, acts[line.command]);
    } finally {
      await bus.close();
    }
  });
}

/** The aggregators create the stream: they know how long it keeps letters. */
async function assertDeadLettersKept(bus: Bus): Promise<void> {
  await bus.jsm.streams.info(DEAD_LETTERS_STREAM).catch((cause: unknown) => {
    throw new Error(`no aggregator has run on this bus yet: ${errorReason(cause)}`, { cause });
  });
}

interface Doing {
  readonly letters: DeadLetters;
  readonly replayed: ReplayOptions;
  readonly io: CommandIo;
}

/** What each command does with a selected letter. */
const acts = {
  show: async (kept: StoredLetter, { io }: Doing) => io.out(`${JSON.stringify(kept, undefined, 2)}\n`),
  replay: async (kept: StoredLetter, { io, replayed }: Doing) => {
    io.out(`${kept.number}: ${await replay(kept, replayed)} record(s) published to the feed again\n`);
  },
  delete: async ({ number }: StoredLetter, { io, letters }: Doing) => {
    await letters.delete(number);
    io.out(`${number}: deleted\n`);
  },
};

async function list(letters: DeadLetters, limit: number, io: CommandIo): Promise<number> {
  let shown = 0;
  for await (const { number, letter } of letters.all()) {
    const { xml, record } = Object(letter.content);
    const callId = Object(Object(record).connection).callId ?? /<CallId>([^<]{1,512})</.exec(String(xml))?.[1] ?? '-';
    const at = new Date(letter.setAsideAt).toISOString();
    io.out(`${number}  ${at}  ${letter.code}  ${printable(String(callId))}  ${printable(letter.reason)}\n`);
    if (++shown >= limit) break;
  }
  if (shown === 0) io.err('No dead letters.\n');
  return 0;
}

/** Texts from senders must not control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 200);
}

/** A letter that fails does not prevent the others from being processed. */
async function forEach(
  { numbers, all }: CommandLine,
  doing: Doing,
  act: (kept: StoredLetter, doing: Doing) => Promise<void>,
): Promise<number> {
  const { letters, io } = doing;
  // The list is read to the end first: a replayed record may come back as a new letter, which does not belong to this
  // run.
  const chosen = [...numbers];
  if (all) for await (const { number } of letters.all()) chosen.push(number);
  let failures = 0;
  for (const number of chosen.toSorted((a, b) => a - b)) {
    try {
      const kept = await letters.find(number);
      if (kept === undefined) throw new Error('no dead letter has this number');
      await act(kept, doing);
    } catch (error) {
      failures++;
      io.err(`${number}: ${errorReason(error)}\n`);
    }
  }
  return failures === 0 ? 0 : 1;
}
