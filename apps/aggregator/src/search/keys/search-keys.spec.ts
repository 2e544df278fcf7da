import { CALL_FIELD_NAMES, filterRow } from '@ringdown/call-catalogue/fields';
import { parseDiagnostics } from '@ringdown/xml-schemas/fields';
import type { ErrorEvent } from '@ringdown/xml-schemas/record';
import { anna, ben, end, example, failure, report, stream } from '../../../test/call-examples.js';
import { deriveCall } from '../../calls/derive-call.js';
import type { FeedRecord } from '../../calls/feed-record.js';
import { mediaFacts } from '../../calls/streams/media-facts.js';
import { mediaSearchKeys, searchKeys } from './search-keys.js';

/** With every field by which calls are found. */
const caller = {
  ...anna,
  relay: '192.0.2.7',
  trunk: 'trunk1',
  tenantId: '4f1c',
  ssid: 'Corp',
  bssid: '9C-3D-CF-20-03-0C',
  mac: '00-00-5E-00-53-01',
  os: 'Debian 13',
  wifiDriver: 'iwl 7',
  dscpInbound: 46,
  vpn: true,
  inside: false,
  connection: 'wifi',
  userAgent: 'Phone/2.1',
};
const connection = {
  conversationId: 'conversation 1',
  conferenceId: 'conference 1',
  correlationId: 'correlation 1',
  dialogCategory: 'conference',
  mediaBypass: true,
  sourcePool: 'pool1.example.test',
  pools: ['pool1.example.test'],
};
const codecs = [{ name: 'PCMU/8000' }];
const metrics = { CaptureDevice: { value: 'Headset' }, RoundTrip: 12 };

/** A fault at a gateway. */
const refusal: ErrorEvent = {
  kind: 'error',
  endpoints: [caller, ben],
  responseCode: { code: 503 },
  diagnostics: parseDiagnostics('10014;gateway="10.0.0.9"'),
};

function kindsOf(records: readonly FeedRecord[]): readonly string[] {
  const { call } = deriveCall(records);
  const keys = [...searchKeys(call, []), ...mediaSearchKeys(mediaFacts(call))];
  return keys.map((key) => key.slice(0, key.indexOf(':')));
}

describe('the search keys of a call', () => {
  // A filter without a source would find nothing: its keys are those of the records below, which have all there is.
  it('have the kind of every filter', () => {
    const answered = kindsOf([
      example([stream('audio', caller, ben, { codecs })], { connection }),
      example([report(metrics, { mediaType: 'audio', from: caller, to: ben, codecs })], { at: '01:00', connection }),
      example([refusal], { at: '02:00', connection }),
      end({ at: '03:00', connection }),
      example([{ kind: 'bye', from: caller, responseCode: { code: 487 } }], {
        at: '03:01',
        connection: { ...connection, further: { EndedBy: 'Callee' } },
      }),
    ]);
    const further = { RingTime: '18000', TransferredTo: 'sip:carl@example.test' };
    const invited = example([{ kind: 'invite', caller, callee: ben }], { version: 'D' });
    const refused = kindsOf([invited, example([refusal], { at: '00:20', version: 'D' })]);
    const unanswered = kindsOf([invited, failure(480, { at: '00:20', version: 'D', connection: { further } })]);
    const silent = kindsOf([
      example([stream('audio', caller, ben), stream('audio', ben, caller)]),
      end({ at: '05:00' }),
      example(
        [
          report({ PacketUtilization: 0, RoundTrip: 900 }, { mediaType: 'audio', from: caller, to: ben }),
          report({ PacketUtilization: 900 }, { mediaType: 'audio', from: ben, to: caller }),
        ],
        { at: '05:01' },
      ),
    ]);
    const kinds = [...answered, ...silent, ...refused, ...unanswered];
    expect(CALL_FIELD_NAMES.filter((name) => !kinds.includes(filterRow(name).kind))).toEqual([]);
  });

  it('have at most 64 pools and as many front ends', () => {
    const names = (kind: string, n: number): readonly string[] =>
      Array.from({ length: 64 }, (_, i) => `${kind}${n}-${i}.example.test`);
    const records = [1, 2, 3].map((n) =>
      example([stream('audio', anna, ben)], {
        version: 'D',
        connection: { pools: names('pool', n), frontEnds: names('fe', n) },
      }),
    );
    const kinds = kindsOf(records);
    expect(kinds.filter((kind) => kind === 'pool')).toHaveLength(64);
    expect(kinds.filter((kind) => kind === 'frontEnd')).toHaveLength(64);
  });
});
