// The traffic of bench:sender: answered calls as a proxy captures them, each message when it arrives and when it is forwarded.
import { sdp, request, response } from '../../libs/call-capture/dist/test/sip-messages.js';
import { writeHep } from '../../libs/capture/dist/test/write-hep.js';

export const PACKETS_A_CALL = 12;
export const RECORDS_A_CALL = { '1.0': 2, D: 3 };

const ALICE = { ip: '192.0.2.10', port: 5060 };
const PROXY = { ip: '192.0.2.1', port: 5060 };
const BOB = { ip: '192.0.2.20', port: 5060 };
const ANSWERED = '<sip:bob@example.test>;tag=b1';

function messagesOf(callId) {
  const hop = (from, to, message) => (parts) =>
    writeHep({ source: from, destination: to, payload: message({ callId, ...parts }) });
  const relayed = (from, to, message) => [
    hop(from, PROXY, message)({ branch: `z9-${from.ip}` }),
    hop(PROXY, to, message)({ branch: `z9-${to.ip}` }),
  ];
  const [offer, answer] = [sdp('192.0.2.10', 4_000), sdp('192.0.2.20', 5_000)];
  const start = [
    ...relayed(ALICE, BOB, (parts) => request('INVITE', { ...parts, body: offer })),
    ...relayed(BOB, ALICE, (parts) => response('180 Ringing', 'INVITE', parts)),
    ...relayed(BOB, ALICE, (parts) => response('200 OK', 'INVITE', { ...parts, body: answer })),
    ...relayed(ALICE, BOB, (parts) => request('ACK', { ...parts, to: ANSWERED })),
  ];
  const end = [
    ...relayed(ALICE, BOB, (parts) => request('BYE', { ...parts, cseq: 2, to: ANSWERED })),
    ...relayed(BOB, ALICE, (parts) => response('200 OK', 'BYE', { ...parts, cseq: 2 })),
  ];
  return { start, end };
}

/** Ends of calls follow their starts at a distance, so that `atOnce` calls are in progress at the same time. */
export function captured({ run, calls, atOnce }) {
  const messages = Array.from({ length: calls }, (_, n) => messagesOf(`${run}-${n}`));
  return Array.from({ length: calls + atOnce }, (_, n) =>
    Buffer.concat([...(messages[n]?.start ?? []), ...(messages[n - atOnce]?.end ?? [])]),
  );
}
