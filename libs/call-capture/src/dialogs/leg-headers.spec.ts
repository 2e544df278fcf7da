import { PlayedCall } from '../../test/played-call.js';
import { SipHeaders } from '../sip/sip-headers.js';
import { legIdIn, parseLegHeader } from './leg-headers.js';

function idIn(header: string, value: string): string | undefined {
  const parsed = parseLegHeader(header);
  if (!parsed) throw new Error(`not a header: ${header}`);
  return legIdIn(new SipHeaders(`${header.split(':', 1)[0]}: ${value}\r\n`, 0), parsed);
}

describe('a header that joins legs', () => {
  it.each([
    ['X-CID', 'abc@192.0.2.1', 'abc@192.0.2.1'],
    ['Session-ID', 'a1b2;remote=00000000000000000000000000000000', 'a1b2'],
    ['Session-ID', '00000000000000000000000000000000;remote=1', undefined],
    ['X-Trace:call=*;', 'a=1;call=77;b=2', '77'],
    ['X-Trace:call=*', 'a=1;call=77;b=2', '77;b=2'],
    ['X-Trace:*/', '77/1', '77'],
    ['X-Trace:call=*;', 'a=1;call=77', undefined],
    ['X-Trace:call=*;', 'other', undefined],
    ['X-CID', 'x'.repeat(513), undefined],
    ['X-CID', '', undefined],
  ])('%s: %s has the id %s', (name, value, id) => {
    expect(idIn(name, value)).toBe(id);
  });

  it.each(['', 'X CID', 'X:', 'X:abc', 'X:a*b*c'])('is not %j', (text) => {
    expect(parseLegHeader(text)).toBeUndefined();
  });

  it('joins the call with the one whose Call-ID it names', () => {
    const legHeaders = ['X-CID', 'Session-ID'].flatMap((name) => parseLegHeader(name) ?? []);
    const call = new PlayedCall({ legHeaders });
    call.invite({ headers: ['Session-ID: 5e55;remote=0'] });
    call.invite({ callId: 'leg-b', headers: ['X-CID: call-1'] });
    call.invite({ callId: 'leg-c', headers: ['X-CID: elsewhere'] });
    expect(call.records.map(({ connection }) => connection.conversationId)).toEqual(['5e55', '5e55', 'elsewhere']);
  });
});
