import { BAD, byeD, GOOD, inviteD, qualityD, startD, type DetailedCall } from '../detailed-call.js';
import { errorXml } from '../records.js';
import type { System } from '../system.js';
import { refusedCallXml, trunkCallXml } from '../trunk-calls.js';

/** What went wrong in the week, beside the story of the demo, which has few calls on Sundays. */
export const INCIDENTS = {
  headset: 'Brava 90 USB',
  trunk: 'fjord-oslo',
  otherTrunk: 'kyst-bergen',
  gateway: '10.10.9.77',
  /** Simultaneous calls of the two trunks at their peaks. */
  peak: 6,
  otherPeak: 2,
  caller: 'nora.nilsen',
  transferredBy: 'tora.tveit',
  rangAt: 'ruth.ruud',
  unheard: 'unn.ulv',
  refused: 'rolf.rud',
  device: '10.21.1.77',
} as const;

const HOUR = 3_600;
const DAY = 24 * HOUR;
const [GOOD_CALLS, HEADSET_CALLS, BAD_CALLS, EARLIER_CALLS] = [90, 60, 40, 30];

/** Calls that are posted at the same time. */
const AT_ONCE = 20;

/** Posts all that went wrong, as front ends and a sender do. */
export async function postIncidents(system: Pick<System, 'post' | 'postSipFailures'>): Promise<void> {
  const calls = [...headsetCalls(), ...trunkCalls(), singleCalls()];
  for (let n = 0; n < calls.length; n += AT_ONCE)
    await Promise.all(calls.slice(n, n + AT_ONCE).map((records) => system.post(...records)));
  // Of a phone whose registrations fail.
  await system.postSipFailures([{ method: 'REGISTER', status: '403', peer: INCIDENTS.device, count: 12 }]);
}

function headsetCalls(): readonly (readonly string[])[] {
  const usual = Array.from({ length: GOOD_CALLS }, (_, n) => deviceCall(`usual-${n}`, n, 'Headset Pro 45', GOOD));
  const headset = Array.from({ length: HEADSET_CALLS }, (_, n) =>
    deviceCall(`headset-${n}`, n, INCIDENTS.headset, n < BAD_CALLS ? BAD : GOOD),
  );
  // When the headset was still good.
  const earlier = Array.from({ length: EARLIER_CALLS }, (_, n) =>
    deviceCall(`earlier-${n}`, n, INCIDENTS.headset, GOOD, DAY),
  );
  return [...usual, ...headset, ...earlier];
}

function deviceCall(callId: string, n: number, device: string, measured: typeof GOOD, before = 0): readonly string[] {
  // From the middle of the hour before this one: all calls are in the same hour.
  const middle = ((Date.now() / 1_000) % HOUR) + HOUR / 2;
  const call: DetailedCall = { callId, from: `${callId}-a`, to: `${callId}-b`, ago: middle + before + n * 10 };
  const devices = { CaptureDevice: device, RenderDevice: device };
  const [there, back] = [
    { ...GOOD, ...devices },
    { ...measured, ...devices },
  ];
  return [inviteD(call), startD(call, 7), byeD(call, 50), qualityD(call, 51, there, back)];
}

function trunkCalls(): readonly (readonly string[])[] {
  return [
    ...callsAtOnce(INCIDENTS.trunk, INCIDENTS.peak, 4 * HOUR),
    ...callsAtOnce(INCIDENTS.otherTrunk, INCIDENTS.otherPeak, 5 * HOUR),
  ];
}

function callsAtOnce(trunk: string, calls: number, ago: number): readonly (readonly string[])[] {
  return Array.from({ length: calls }, (_, n) =>
    trunkCallXml({ callId: `${trunk}-${n}`, trunk, from: `${trunk}-${n}`, ago: ago - n, lasts: 300 }),
  );
}

function singleCalls(): readonly string[] {
  const ofCaller: DetailedCall = { callId: 'of-caller', from: INCIDENTS.caller, ago: HOUR };
  const transferred: DetailedCall = { callId: 'transferred', from: INCIDENTS.transferredBy, ago: HOUR };
  const unheard: DetailedCall = { callId: 'unheard', from: INCIDENTS.unheard, ago: HOUR };
  const rang: DetailedCall = {
    callId: 'rang-out',
    from: INCIDENTS.rangAt,
    ago: HOUR,
    header: '<RingTime>25000</RingTime>',
  };
  const to = '<TransferredTo>sip:ben@example.test</TransferredTo><TransferredBy>Caller</TransferredBy>';
  return [
    inviteD(ofCaller),
    startD(ofCaller, 7),
    byeD(ofCaller, 60),
    inviteD(transferred),
    startD(transferred, 7),
    byeD(transferred, 60, to),
    inviteD(unheard),
    startD(unheard, 7),
    byeD(unheard, 60),
    qualityD(unheard, 61, GOOD, { PacketUtilization: 0 }),
    inviteD(rang),
    errorXml({ callId: 'rang-out', from: INCIDENTS.rangAt, ago: HOUR - 25 })
      .replace('Code="486">Busy Here', 'Code="480">Temporarily Unavailable')
      .replace(/(?<=<VendorDiagnostics>)[^<]*/, '15030;reason="The user did not answer"'),
    ...refusedCallXml(
      { callId: 'refused', from: INCIDENTS.refused, trunk: INCIDENTS.trunk, ago: HOUR },
      `10014;reason="The gateway responded with 503 Service Unavailable";gateway="${INCIDENTS.gateway}";trunk="${INCIDENTS.trunk}"`,
    ),
  ];
}
