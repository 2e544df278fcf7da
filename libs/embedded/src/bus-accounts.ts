/**
 * The accounts of the bus. Users of one account always reach each other and all its streams by the reply subjects of
 * their requests, which the server does not check: users who do not trust each other have different accounts. What one
 * account offers to another is listed here; a reply to what is imported as a service goes back to its sender, whatever
 * reply subject was given.
 */
export const ACCOUNT_NAMES = ['FEED', 'PEOPLE', 'COLLECTOR', 'SUBSCRIBERS'] as const;
export type AccountName = (typeof ACCOUNT_NAMES)[number];

interface BusAccount {
  /** Without JetStream it has no streams, and nothing that it sends creates one. */
  readonly jetStream: boolean;
  /** Requests that it answers, by the account that may send them. */
  readonly services: Readonly<Partial<Record<AccountName, readonly string[]>>>;
  /** Messages that it publishes, by the account that may receive them. */
  readonly streams: Readonly<Partial<Record<AccountName, readonly string[]>>>;
  /** Messages for accounts that the operator adds (docs/guides/subscribers.md). */
  readonly openStreams?: readonly string[];
}

/**
 * Of the API of JetStream, accounts without it get what reads. Whatever may name a subject to deliver to, or another
 * stream to copy, is never offered: that acts in the account of the stream (`CONSUMER.CREATE`, `STREAM.CREATE`).
 */
export const busAccounts: Readonly<Record<AccountName, BusAccount>> = {
  FEED: {
    jetStream: true,
    services: {
      COLLECTOR: [
        'ringdown.records.*',
        'ringdown.bundles.*.*.*.*.*.*.*.*',
        'ringdown.rejected',
        'ringdown.traces',
        'ringdown.sip-failures',
        'ringdown.uploads.check',
        '$KV.FRONT_ENDS.*',
        '$KV.SERVICES.collector.*',
        '$JS.API.STREAM.INFO.RECORDS',
        '$JS.API.STREAM.INFO.KV_FRONT_ENDS',
        '$JS.API.DIRECT.GET.KV_FRONT_ENDS',
        '$JS.API.DIRECT.GET.KV_FRONT_ENDS.>',
      ],
      SUBSCRIBERS: [
        'ringdown.readers.ensure',
        'ringdown.dead-letters.*',
        '$KV.SERVICES.subscribers.*',
        ...['RECORDS', 'CALL_CHANGES'].flatMap((stream) => [
          `$JS.API.STREAM.INFO.${stream}`,
          `$JS.API.CONSUMER.INFO.${stream}.*`,
          `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
          `$JS.ACK.${stream}.>`,
        ]),
      ],
      PEOPLE: ['ringdown.calls.in-progress', '$KV.SERVICES.discovery-auth.*', '$KV.SERVICES.application-people.*'],
    },
    streams: { PEOPLE: ['ringdown.calls.changed'] },
  },
  PEOPLE: {
    jetStream: true,
    services: { FEED: ['ringdown.tokens.introspect', 'ringdown.people.known'] },
    streams: { FEED: ['ringdown.tokens.revoked'] },
  },
  COLLECTOR: {
    jetStream: false,
    services: { FEED: ['ringdown.collectors.answers.*'] },
    streams: {},
  },
  SUBSCRIBERS: { jetStream: false, services: {}, streams: {}, openStreams: ['ringdown.subscribers.>'] },
};

/** What one account offers to another. */
export interface Offer {
  readonly kind: 'service' | 'stream';
  readonly subject: string;
  readonly by: AccountName;
  readonly to: AccountName;
}

const offers: readonly Offer[] = ACCOUNT_NAMES.flatMap((by) => {
  const of = (kind: Offer['kind'], offered: BusAccount['services']): Offer[] =>
    ACCOUNT_NAMES.flatMap((to) => (offered[to] ?? []).map((subject) => ({ kind, subject, by, to })));
  return [...of('service', busAccounts[by].services), ...of('stream', busAccounts[by].streams)];
});

export function accountImports(account: AccountName): readonly Offer[] {
  return offers.filter(({ to }) => to === account);
}

export function accountExports(account: AccountName): readonly Offer[] {
  return offers.filter(({ by }) => by === account);
}

/** How the importer names a subject: the API of JetStream as that of a domain, since each account has one of its own. */
export function importedAs(subject: string): string {
  return subject.replace(/^\$JS\.API\./, '$JS.FEED.API.');
}
