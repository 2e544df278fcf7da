import { CALL_FIELD_NAMES, filterRow } from '@ringdown/call-catalogue/fields';
import { anna, ben, end, example, failure, report, stream } from '../../../test/call-examples.js';
import { deriveCall } from '../../calls/derive-call.js';
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

describe('the search keys of a call', () => {
  // A filter without a source would find nothing: its keys are those of the records below, which have all there is.
  it('have the kind of every filter', () => {
    const { call } = deriveCall([
      example([stream('audio', caller, ben, { codecs })], { connection }),
      example([report(metrics, { mediaType: 'audio', from: caller, to: ben, codecs })], { at: '01:00', connection }),
      failure(486, { at: '02:00', connection }),
      end({ at: '03:00', connection }),
      example([{ kind: 'bye', from: caller, responseCode: { code: 487 } }], {
        at: '03:01',
        connection: { ...connection, further: { EndedBy: 'Callee' } },
      }),
    ]);
    const keys = [...searchKeys(call, []), ...mediaSearchKeys(mediaFacts(call))];
    const kinds: readonly string[] = keys.map((key) => key.slice(0, key.indexOf(':')));
    expect(CALL_FIELD_NAMES.filter((name) => !kinds.includes(filterRow(name).kind))).toEqual([]);
  });
});
