import type { Dice } from '@ringdown/testing/fuzz/dice';
import { pumpString } from '@ringdown/testing/fuzz/pumps';
import type { Answer, SystemClient } from '@ringdown/testing/launched-system';

/** Limits of records and of bodies of the web interface; larger ones are rejected without being read. */
const RECORD_LIMIT = 380_000;
const BODY_LIMIT = 250_000;
const TARGET_LIMIT = 10_000;
const FIELDS = 'Id EPId URI Contact IP UserAgent PAI Trunk Subnet OS DNSSuffix Unknown'.split(' ');
const FILTERS = 'user frontEnd address callId conversationId site codec from cursor'.split(' ');

export interface Places {
  readonly client: SystemClient;
  readonly token: string;
  /** Path of an application of the token's owner. */
  readonly application: string;
}

/** One request with a pump string somewhere: in a record, a filter, a search, a body or a header. */
export function pumpedRequest(dice: Dice, { client, token, application }: Places): () => Promise<Answer> {
  const get = (path: string): Promise<Answer> => client.as(token, path);
  const send = (path: string, type: string, body: string): Promise<Answer> =>
    client.as(token, path, { method: 'POST', headers: { 'content-type': type }, body });
  const parameter = (): string => encodeURIComponent(pumpString(dice, TARGET_LIMIT / 10).toWellFormed());
  switch (dice.below(6)) {
    case 0: {
      const path = `/api/calls?${dice.of(FILTERS)}=${parameter()}`;
      return () => get(path);
    }
    case 1: {
      const path = `${application}/people/search?query=${parameter()}&${parameter()}`;
      return () => get(path);
    }
    case 2: {
      const body = JSON.stringify({ message: pumpString(dice, BODY_LIMIT / 4) });
      return () => send(`${application}/me/note`, 'application/json', body);
    }
    case 3: {
      const body = `<input><property name="message">${escaped(pumpString(dice, BODY_LIMIT / 4))}</property></input>`;
      return () => send(`${application}/me/note`, 'application/xml', body);
    }
    default: {
      const body = pumpedRecord(dice);
      return () => client.post(body);
    }
  }
}

function pumpedRecord(dice: Dice): string {
  const header = `<FrontEnd>fe1.example.test</FrontEnd><CallId>pumped-${dice.below(20)}</CallId>`;
  const fields = [dice.of(FIELDS), dice.of(FIELDS)].map(
    (name) => `<${name}>${escaped(pumpString(dice, 2_048))}</${name}>`,
  );
  const diagnostics = `<VendorDiagnostics>1;a=${escaped(pumpString(dice, 32_768))}</VendorDiagnostics>`;
  const error = `<Error><EndPoint>${fields.join('')}</EndPoint><Properties>${diagnostics}</Properties></Error>`;
  const sdp = `<RawSDP>v=0\r\n${escaped(pumpString(dice, dice.onceIn(10) ? RECORD_LIMIT / 4 : 65_536))}</RawSDP>`;
  return `<Diagnostics Version="D"><ConnectionInfo>${header}</ConnectionInfo>${error}${dice.onceIn(2) ? sdp : ''}</Diagnostics>`;
}

function escaped(text: string): string {
  const written = text.toWellFormed().replaceAll('\0', '');
  return written.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
