import { eventually } from '@ringdown/testing/eventually';
import type { SystemClient } from '@ringdown/testing/launched-system';

interface Party {
  readonly uri?: string;
}

/** What an operator sees of a call at `GET /api/calls/{callId}`. */
export interface ViewedCall {
  readonly callId: string;
  readonly state: string;
  readonly endReason: string | null;
  readonly verdict: string;
  readonly coverage: string;
  readonly cause: { readonly metric: string } | null;
  readonly partial: boolean;
  readonly conversationId: string | null;
  readonly duration: { readonly seconds: number } | null;
  readonly settlesAt: string | null;
  readonly parties: readonly Party[];
  readonly streams: readonly { readonly from: Party | null; readonly to: Party | null; readonly state: string }[];
  readonly errors: readonly { readonly code: number }[];
  readonly quality: readonly {
    readonly from: Party | null;
    readonly to: Party | null;
    readonly final: boolean;
    readonly codecs: readonly { readonly name: string }[];
    readonly verdict: string;
    readonly metrics: Readonly<Record<string, { readonly value: number }>>;
  }[];
  readonly linked: readonly { readonly callId: string; readonly by: readonly string[] }[];
  readonly records: readonly { readonly kinds: readonly string[]; readonly xml: string }[];
}

export interface CallReader {
  /** Resolves when the call is as described. */
  until(callId: string, what: string, isSo: (call: ViewedCall) => boolean): Promise<ViewedCall>;
  /** Resolves when the call is over and nothing more is expected of it. */
  settled(callId: string): Promise<ViewedCall>;
}

export async function callReader(client: SystemClient): Promise<CallReader> {
  const token = await client.signIn('carol');
  const until: CallReader['until'] = async (callId, what, isSo) => {
    let seen = 'nothing';
    const check = async (): Promise<ViewedCall | false> => {
      const { status, text } = await client.as(token, `/api/calls/${encodeURIComponent(callId)}`);
      seen = text;
      if (status !== 200) return false;
      const call: ViewedCall = JSON.parse(text);
      return isSo(call) && call;
    };
    return eventually(`${callId} to be ${what}`, check, 60_000).catch((error: unknown) => {
      throw new Error(`last seen: ${seen.slice(0, 4_000)}`, { cause: error });
    });
  };
  return {
    until,
    settled: (callId) =>
      until(callId, 'settled', ({ settlesAt }) => settlesAt !== null && Date.parse(settlesAt) <= Date.now()),
  };
}

/** The verdict on what each party received, by its URI. */
export function partyVerdicts({ quality }: ViewedCall): Readonly<Record<string, string>> {
  return Object.fromEntries(quality.map(({ to, verdict }) => [to?.uri ?? '', verdict]));
}

/** Loss of what this party received, 0 to 1. */
export function receivedLoss({ quality }: ViewedCall, uri: string | undefined): number | undefined {
  return quality.find(({ to }) => to?.uri === uri)?.metrics['PacketLossRate']?.value;
}

/** How many records have each kind of event. */
export function recordKindCounts({ records }: ViewedCall): Readonly<Record<string, number>> {
  const kinds = records.flatMap((record) => record.kinds);
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) => [kind, length]));
}

/** The state of what each party sends, by its URI. */
export function sendingStates({ streams }: ViewedCall): Readonly<Record<string, string>> {
  return Object.fromEntries(streams.map(({ from, state }) => [from?.uri ?? '', state]));
}

/** The first record with this kind of event, as the sender wrote it. */
export function recordXml({ records }: ViewedCall, kind: string, place = 0): string {
  return records.filter(({ kinds }) => kinds.includes(kind))[place]?.xml ?? '';
}
