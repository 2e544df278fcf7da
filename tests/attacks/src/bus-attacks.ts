import {
  BUS_USER_NAMES,
  busUsers,
  busPermissions,
  streamAccounts,
  type BusUserName,
} from '@ringdown/testing/embedded-servers';
import type { Headers } from './raw-bus.js';

/** A stream that does not belong to the attacker. */
export interface Target {
  readonly stream: string;
  /** What the stream stores, with wildcards. */
  readonly patterns: readonly string[];
  /** A subject of each pattern; of the first of them, a message is stored, with an id. */
  readonly subjects: readonly string[];
}

/** A message that an attacker sends. */
export interface Shot {
  readonly subject: string;
  readonly body: string;
  readonly reply: string;
  readonly headers?: Headers;
}

const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  RECORDS: ['ringdown.records.*', 'ringdown.bundles.*.*.*.*.*.*.*.*'],
  REJECTED: ['ringdown.rejected'],
  DEAD_LETTERS: ['ringdown.dead-letters.*'],
  CALL_CHANGES: ['ringdown.calls.changed'],
  TRACES: ['ringdown.traces'],
  SIP_FAILURES: ['ringdown.sip-failures'],
  CHANNELS: ['ringdown.channels.*.*'],
};

/** Every stream and bucket of the bus, with its account, and a subject that it stores and no attack names. */
export const streams = [...streamAccounts()].map(([stream, account]) => {
  const patterns = SUBJECTS[stream] ?? [`$KV.${stream.replace(/^KV_/, '')}.>`];
  const subjects = patterns.map((pattern) => concrete(pattern, 'seed'));
  return { stream, account, patterns, subjects, witness: concrete(patterns[0] ?? '', 'witness') };
});

/**
 * Whether a stream does what `Nats-Rollup` asks: every bucket does so, but those that other accounts write to
 * (apps/aggregator/test/foreign-accounts.spec.ts).
 */
export function allowsRollups({ stream, account, patterns }: Target & { readonly account: string }): boolean {
  const foreign = BUS_USER_NAMES.filter((name) => busUsers[name].account !== account);
  return stream.startsWith('KV_') && !foreign.some((name) => mayWrite(name, patterns));
}

/** The id of the message of a stream that the attacker has not sent. */
export function streamMessageId(stream: string): string {
  return `id-of-${stream}`;
}

/** What the headers of a message can ask of its stream (docs.nats.io, "JetStream headers"; ADRs 4, 43, 44 and 51 of NATS). */
const headersFor = ({ stream }: Target): readonly Headers[] => [
  { 'Nats-Rollup': 'all' },
  { 'Nats-Rollup': 'sub' },
  { 'KV-Operation': 'PURGE', 'Nats-Rollup': 'sub' },
  { 'KV-Operation': 'DEL' },
  { 'Nats-TTL': '1s' },
  { 'Nats-Msg-Id': streamMessageId(stream) },
  { 'Nats-Expected-Stream': stream },
  { 'Nats-Expected-Last-Sequence': '2' },
  { 'Nats-Expected-Last-Subject-Sequence': '2' },
  { 'Nats-Expected-Last-Msg-Id': streamMessageId(stream) },
  { 'Nats-Incr': '+1' },
  { 'Nats-Schedule': '@at 2020-01-01T00:00:00Z', 'Nats-Schedule-Target': `$KV.TOKENS.seed` },
  { 'Nats-Batch-Id': 'batch', 'Nats-Batch-Sequence': '1', 'Nats-Batch-Commit': '1' },
];

/** What an attacker does, by the name of the attack; each returns its shots at one target. */
export const attacks: Readonly<Record<string, (name: BusUserName, target: Target) => readonly Shot[]>> = {
  publish: (name, { subjects }) => subjects.map((subject) => shot(subject, token, inboxOf(name))),
  // The server takes a wildcard in the subject of a message as a word like others.
  'wildcards in subjects': (name, { stream, patterns }) => {
    const [first = ''] = patterns;
    const wide = [...patterns, first.replace(/[^.]+$/, '>'), first.replace(/\.[^.]+(?=\.[^.]+$)/, '.*')];
    const commands = ['STREAM.PURGE', 'STREAM.DELETE', 'STREAM.INFO', 'DIRECT.GET', 'CONSUMER.CREATE'];
    const requests = ['*', '>', `${stream}.>`, `*.${first}`].flatMap((end) => apis(end, ...commands));
    const own = wildLeversOf(name).filter(isWrite);
    return [
      ...['>', '*', '$KV.>', '$KV.*.*', '$JS.>', '$JS.API.>', ...wide].map((to) => shot(to, token, inboxOf(name))),
      ...requests.map((request) => shot(request, delivery(name, stream), inboxOf(name))),
      ...own.map((lever) => shot(lever, token, inboxOf(name))),
      ...[...wildLeversOf(name), ...leversOf(name)].flatMap((lever) =>
        [...wide, `$JS.API.STREAM.PURGE.*`, '$JS.API.>', '>'].map((reply) => shot(lever, token, reply)),
      ),
    ];
  },
  'direct get': (name, { stream, patterns, subjects }) =>
    apis(stream, 'DIRECT.GET', 'STREAM.MSG.GET').flatMap((api) => [
      shot(api, '{"seq":1}', inboxOf(name)),
      ...patterns.map((by) => shot(api, JSON.stringify({ last_by_subj: by }), inboxOf(name))),
      ...[...subjects, ...patterns].map((subject) => shot(`${api}.${subject}`, '', inboxOf(name))),
    ]),
  'consumer with delivery': (name, { stream }) =>
    apis(stream, 'CONSUMER.CREATE', 'CONSUMER.DURABLE.CREATE').flatMap((api) => [
      shot(api, delivery(name, stream), inboxOf(name)),
      shot(`${api}.stolen`, delivery(name, stream), inboxOf(name)),
    ]),
  'source and mirror': (name, { stream }) =>
    [...ownStreams(name), 'STOLEN'].flatMap((own) =>
      apis(own, 'STREAM.CREATE', 'STREAM.UPDATE').flatMap((api) => [
        shot(api, JSON.stringify({ name: own, subjects: ['stolen'], sources: [{ name: stream }] }), inboxOf(name)),
        shot(api, JSON.stringify({ name: own, mirror: { name: stream } }), inboxOf(name)),
        shot(api, JSON.stringify({ name: own, mirror: { name: stream, external: external(name) } }), inboxOf(name)),
      ]),
    ),
  'purge and delete': (name, { stream }) =>
    apis(stream, 'STREAM.PURGE', 'STREAM.DELETE', 'STREAM.MSG.DELETE').map((api) => shot(api, '', inboxOf(name))),
  snapshot: (name, { stream }) =>
    apis(stream, 'STREAM.SNAPSHOT').map((api) =>
      shot(api, JSON.stringify({ deliver_subject: `${inboxOf(name)}.snapshot` }), inboxOf(name)),
    ),
  // The server does not check reply subjects, and JetStream answers there with its own rights.
  'reply subject': (name, target) => replies(name, target, (subject) => !isWrite(subject)),
  PubAck: (name, target) => replies(name, target, isWrite),
  headers: (name, target) => {
    const subjects = [...target.subjects, ...leversOf(name).filter((lever) => isWrite(lever))];
    return headersFor(target).flatMap((headers) =>
      subjects.map((subject) => ({ ...shot(subject, token, inboxOf(name)), headers })),
    );
  },
};

/** What is wanted of the target, as the reply subject of everything that the attacker may send. */
function replies(name: BusUserName, target: Target, isWanted: (lever: string) => boolean): readonly Shot[] {
  const { stream, subjects } = target;
  const wanted = [
    ...subjects,
    ...['STREAM.PURGE', 'STREAM.DELETE', 'STREAM.UPDATE', 'STREAM.SNAPSHOT'].map(
      (command) => `$JS.API.${command}.${stream}`,
    ),
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.DIRECT.GET.${stream}`,
    '$JS.API.STREAM.CREATE.STOLEN',
  ];
  const bodies = [token, delivery(name, stream), JSON.stringify({ name: 'STOLEN', sources: [{ name: stream }] })];
  const levers = leversOf(name);
  return bodies.flatMap((body) => [
    // The content of an own entry is what a later request returns.
    ...levers.filter((lever) => isWrite(lever)).map((lever) => shot(lever, body, '')),
    ...levers
      .filter(isWanted)
      .flatMap((lever) => wanted.map((reply) => shot(lever, isWrite(lever) ? body : '', reply))),
  ]);
}

/** What a user may publish to, without that by which it would destroy what is its own. */
function wildLeversOf(name: BusUserName): readonly string[] {
  return busPermissions(name, busUsers[name]).publish.filter(
    (pattern) => !/STREAM\.(?:PURGE|DELETE|UPDATE|MSG\.DELETE|RESTORE|CREATE)|SNAPSHOT/.test(pattern),
  );
}

/** The same, a subject of each. */
function leversOf(name: BusUserName): readonly string[] {
  return wildLeversOf(name).map((pattern) => {
    const [, bucket] = /\.DIRECT\.GET\.KV_(\w+)\.>$/.exec(pattern) ?? [];
    if (bucket === undefined) return concrete(pattern, 'lever');
    return pattern.replace(/>$/, `$KV.${bucket}.lever`);
  });
}

function isWrite(subject: string): boolean {
  return !subject.startsWith('$JS.') && !subject.startsWith('$SYS.');
}

/** Whether a user may write to a stream of another account. */
export function mayWrite(name: BusUserName, patterns: readonly string[]): boolean {
  const first = (subject: string): string => subject.split('.').slice(0, 3).join('.').replace(/[*>]$/, '');
  return busPermissions(name, busUsers[name]).publish.some(
    (allowed) => isWrite(allowed) && patterns.some((pattern) => first(allowed).startsWith(first(pattern))),
  );
}

/** Whether a user may read a stream of another account. */
export function mayRead(name: BusUserName, stream: string): boolean {
  return busPermissions(name, busUsers[name]).publish.some(
    (allowed) => allowed === `$JS.FEED.API.DIRECT.GET.${stream}`,
  );
}

const token = JSON.stringify({ username: 'carol@example.test', issuedAt: 0, expiresAt: 9e15 });

function delivery(name: BusUserName, stream: string): string {
  const config = { deliver_subject: `${inboxOf(name)}.stolen`, ack_policy: 'none', deliver_policy: 'all' };
  return JSON.stringify({ stream_name: stream, config });
}

function external(name: BusUserName): object {
  return { api: '$JS.FEED.API', deliver: `${inboxOf(name)}.mirror` };
}

function ownStreams(name: BusUserName): readonly string[] {
  const { account } = busUsers[name];
  return streams.filter((each) => each.account === account).map(({ stream }) => stream);
}

/** A command of JetStream, in the own account and in the form in which that of the feed is imported. */
function apis(stream: string, ...commands: readonly string[]): readonly string[] {
  return commands.flatMap((command) => [`$JS.API.${command}.${stream}`, `$JS.FEED.API.${command}.${stream}`]);
}

function inboxOf(name: BusUserName): string {
  return `_INBOX.${name}.attack`;
}

function shot(subject: string, body: string, reply: string): Shot {
  return { subject, body, reply };
}

function concrete(pattern: string, word: string): string {
  return pattern.replaceAll(/[*>]/g, word);
}
