import { SECOND, type Formats, type ScriptedCall } from './scripted-call.js';

/** Adds the packets of a call that goes this way. */
export type CallScript = (call: ScriptedCall) => ScriptedCall;

const HOLD = ['a=sendonly'];
const HELD = ['a=recvonly'];
/** NTP time of a sender report, its middle 32 bits: seconds and 65,536ths. */
const STAMP = 0x12_34_00_00;
const TICKS_PER_MS = 65.536;

function spoken(call: ScriptedCall): ScriptedCall {
  return call.rtp(2_050, 'caller').rtp(2_060, 'callee');
}

function rejected(status: string): CallScript {
  return (call) =>
    call
      .request(0, 'caller', 'INVITE', { body: call.describe('caller') })
      .response(20, 'callee', '100 Trying', 'INVITE')
      .response(1_500, 'callee', status, 'INVITE')
      .request(1_520, 'caller', 'ACK');
}

function withCodec(formats: Formats, clockRate: number): CallScript {
  const payloadType = Number(Object.keys(formats)[0]);
  return (call) =>
    call
      .answered({ offer: { ...formats, 0: 'PCMU/8000' }, answer: formats })
      .rtp(2_050, 'caller', { payloadType, clockRate, loss: 0.02 })
      .rtp(2_060, 'callee', { payloadType, clockRate })
      .ended(9_000, 'caller');
}

function cancelled(call: ScriptedCall): ScriptedCall {
  return call
    .request(0, 'caller', 'INVITE', { body: call.describe('caller') })
    .response(300, 'callee', '180 Ringing', 'INVITE')
    .request(4_000, 'caller', 'CANCEL')
    .response(4_010, 'callee', '200 OK', 'CANCEL')
    .response(4_020, 'callee', '487 Request Terminated', 'INVITE')
    .request(4_040, 'caller', 'ACK');
}

function authenticated(call: ScriptedCall): ScriptedCall {
  const body = call.describe('caller');
  return call
    .request(0, 'caller', 'INVITE', { body })
    .response(20, 'callee', '407 Proxy Authentication Required', 'INVITE', { device: 'proxy' })
    .request(40, 'caller', 'ACK', { device: 'proxy' })
    .request(60, 'caller', 'INVITE', { body, cseq: 2, headers: ['Proxy-Authorization: Digest username="alice"'] })
    .response(500, 'callee', '180 Ringing', 'INVITE', { cseq: 2 })
    .response(1_900, 'callee', '200 OK', 'INVITE', { cseq: 2, body: call.describe('callee') })
    .request(1_920, 'caller', 'ACK', { cseq: 2 })
    .rtp(2_050, 'caller')
    .rtp(2_060, 'callee')
    .ended(8_000, 'callee');
}

function held(call: ScriptedCall): ScriptedCall {
  return spoken(call.answered())
    .request(7_500, 'caller', 'INVITE', { cseq: 10, body: call.describe('caller', undefined, HOLD) })
    .response(7_520, 'callee', '200 OK', 'INVITE', { cseq: 10, body: call.describe('callee', undefined, HELD) })
    .request(7_540, 'caller', 'ACK', { cseq: 10 })
    .request(9_500, 'caller', 'INVITE', { cseq: 11, body: call.describe('caller') })
    .response(9_520, 'callee', '200 OK', 'INVITE', { cseq: 11, body: call.describe('callee') })
    .request(9_540, 'caller', 'ACK', { cseq: 11 })
    .ended(12_000, 'caller');
}

function movedMedia(call: ScriptedCall): ScriptedCall {
  return spoken(call.answered())
    .request(7_500, 'callee', 'INVITE', { cseq: 10, body: call.describe('callee', undefined, [], 4) })
    .response(7_520, 'caller', '200 OK', 'INVITE', { cseq: 10, body: call.describe('caller', undefined, [], 4) })
    .request(7_540, 'callee', 'ACK', { cseq: 10 })
    .rtp(7_600, 'caller', {}, 4)
    .rtp(7_600, 'callee', {}, 4)
    .ended(14_000, 'callee');
}

function offeredLate(call: ScriptedCall): ScriptedCall {
  return call
    .request(0, 'caller', 'INVITE')
    .response(400, 'callee', '180 Ringing', 'INVITE')
    .response(2_000, 'callee', '200 OK', 'INVITE', { body: call.describe('callee') })
    .request(2_020, 'caller', 'ACK', { body: call.describe('caller') })
    .rtp(2_050, 'caller')
    .rtp(2_060, 'callee')
    .ended(8_000, 'caller');
}

function withEarlyMedia(call: ScriptedCall): ScriptedCall {
  const body = call.describe('callee');
  return call
    .request(0, 'caller', 'INVITE', { body: call.describe('caller') })
    .response(300, 'callee', '183 Session Progress', 'INVITE', { body, headers: ['Require: 100rel', 'RSeq: 1'] })
    .request(320, 'caller', 'PRACK', { cseq: 2, headers: ['RAck: 1 1 INVITE'] })
    .response(340, 'callee', '200 OK', 'PRACK', { cseq: 2 })
    .response(2_000, 'callee', '200 OK', 'INVITE', { body })
    .request(2_020, 'caller', 'ACK')
    .rtp(2_050, 'caller')
    .rtp(400, 'callee', { packets: 330 })
    .ended(8_000, 'callee');
}

/** Each side answers the sender report of the other one. `offset`: of the ports of RTCP. */
function reported(call: ScriptedCall, offset?: number): ScriptedCall {
  const answer = {
    fractionLost: 3,
    stamp: STAMP + 2_200 * TICKS_PER_MS,
    lastStamp: STAMP + 2_000 * TICKS_PER_MS,
    delay: 100 * TICKS_PER_MS,
  };
  return spoken(call)
    .rtcp(3_000, 'caller', { fractionLost: 0, stamp: STAMP }, offset)
    .rtcp(3_140, 'callee', { fractionLost: 26, stamp: STAMP + 99, lastStamp: STAMP, delay: 50 * TICKS_PER_MS }, offset)
    .rtcp(5_000, 'callee', { fractionLost: 40, stamp: STAMP + 2_000 * TICKS_PER_MS }, offset)
    .rtcp(5_130, 'caller', answer, offset)
    .ended(9_000, 'callee');
}

/**
 * Frames of several packets, in their order: tshark counts a round of numbers when the first two are swapped. Few end a frame:
 * tshark leaves these out of the mean jitter, and weighs the packets after them less.
 */
function withVideo(call: ScriptedCall): ScriptedCall {
  const second = { mediaType: 'video', formats: { 97: 'H264/90000' } } as const;
  const sent = { payloadType: 97, clockRate: 90_000, packetMs: 33, framePackets: 8, payloadLength: 900, jitter: 1 };
  const video = { ...sent, packets: 1_200 };
  return spoken(call.answered({ second }))
    .rtp(2_100, 'caller', { ...video, loss: 0.04 }, SECOND)
    .rtp(2_110, 'callee', video, SECOND)
    .ended(9_000, 'caller');
}

/** The loss of the text belongs to none of the audio. */
function withText(call: ScriptedCall): ScriptedCall {
  const text = { payloadType: 98, clockRate: 1_000, packetMs: 300, payloadLength: 6, packets: 20, loss: 0.3 };
  const second = { mediaType: 'text', formats: { 98: 't140/1000' } } as const;
  return spoken(call.answered({ second }))
    .rtp(2_100, 'caller', text, SECOND)
    .rtp(2_110, 'callee', text, SECOND)
    .ended(9_000, 'caller');
}

function retransmitted(call: ScriptedCall): ScriptedCall {
  const body = call.describe('caller');
  return call
    .request(0, 'caller', 'INVITE', { body })
    .again(500)
    .response(900, 'callee', '180 Ringing', 'INVITE')
    .again(1_100)
    .response(2_000, 'callee', '200 OK', 'INVITE', { body: call.describe('callee') })
    .again(2_500)
    .request(2_510, 'caller', 'ACK')
    .again(2_520)
    .rtp(2_600, 'caller')
    .rtp(2_600, 'callee')
    .request(9_000, 'caller', 'BYE', { cseq: 3 })
    .again(9_500)
    .response(9_510, 'callee', '200 OK', 'BYE', { cseq: 3 });
}

function forked(call: ScriptedCall): ScriptedCall {
  return call
    .request(0, 'caller', 'INVITE', { body: call.describe('caller') })
    .response(200, 'callee', '180 Ringing', 'INVITE', { device: 'x' })
    .response(250, 'callee', '180 Ringing', 'INVITE', { device: 'y' })
    .response(2_000, 'callee', '200 OK', 'INVITE', { device: 'y', body: call.describe('callee') })
    .request(2_020, 'caller', 'ACK', { device: 'y' })
    .rtp(2_050, 'caller')
    .rtp(2_060, 'callee')
    .request(8_000, 'caller', 'BYE', { cseq: 3, device: 'y' })
    .response(8_020, 'callee', '200 OK', 'BYE', { cseq: 3, device: 'y' });
}

/** The ways in which calls go, by name. */
export const CALL_SCRIPTS: Readonly<Record<string, CallScript>> = {
  'answered, ended by the caller': (call) => spoken(call.answered()).ended(8_000, 'caller'),
  'answered, ended by the callee': (call) => spoken(call.answered()).ended(8_000, 'callee'),
  'a direction with 5 % loss': (call) =>
    call.answered().rtp(2_050, 'caller', { loss: 0.05 }).rtp(2_060, 'callee').ended(8_000, 'caller'),
  'a direction with bursts of loss and jitter': (call) =>
    call
      .answered()
      .rtp(2_050, 'caller', { packets: 500 })
      .rtp(2_060, 'callee', { packets: 500, loss: 0.15, lossRun: 5, jitter: 18 })
      .ended(14_000, 'caller'),
  'reordered packets': (call) =>
    call.answered().rtp(2_050, 'caller', { reordered: 0.04 }).rtp(2_060, 'callee').ended(8_000, 'callee'),
  'media of one direction': (call) => call.answered().rtp(2_050, 'caller').ended(8_000, 'callee'),
  'no media': (call) => call.answered().ended(8_000, 'caller'),
  'PCMA, the second of the offer': (call) => {
    const [payloadType, formats] = [8, { 8: 'PCMA/8000' }];
    const answered = call.answered({ answer: formats });
    return answered.rtp(2_050, 'caller', { payloadType }).rtp(2_060, 'callee', { payloadType }).ended(8_000, 'caller');
  },
  'G.722': withCodec({ 9: 'G722/8000' }, 8_000),
  'G.729': withCodec({ 18: 'G729/8000' }, 8_000),
  Opus: withCodec({ 96: 'opus/48000/2' }, 48_000),
  'AMR-WB': withCodec({ 97: 'AMR-WB/16000' }, 16_000),
  'RTCP with loss and round trip': (call) => reported(call.answered()),
  'RTCP multiplexed with RTP': (call) => reported(call.answered({ attributes: ['a=rtcp-mux'] }), 0),
  'audio and video': withVideo,
  'audio and text': withText,
  'hold and retrieve': held,
  'media moved to other ports': movedMedia,
  'the offer in the response': offeredLate,
  'early media and PRACK': withEarlyMedia,
  authentication: authenticated,
  'messages sent again': retransmitted,
  'two devices that ring': forked,
  cancelled,
  busy: rejected('486 Busy Here'),
  'not found': rejected('404 Not Found'),
  declined: rejected('603 Decline'),
  unavailable: rejected('503 Service Unavailable'),
  'not answered': rejected('480 Temporarily Unavailable'),
  'never answered': (call) =>
    call
      .request(0, 'caller', 'INVITE', { body: call.describe('caller') })
      .response(300, 'callee', '180 Ringing', 'INVITE'),
  'still running at the end': (call) => spoken(call.answered()),
};
