import { readRtpStatistics } from './read-rtp-statistics.js';

const PERIODIC = {
  CORRELATION_ID: 'call-1',
  RTP_SIP_CALL_ID: 'call-1',
  DELTA: 19.983,
  JITTER: 0.4,
  TOTAL_PK: 1_512,
  EXPECTED_PK: 1_520,
  PACKET_LOSS: 8,
  MAX_JITTER: 3.5,
  MEAN_JITTER: 0.5,
  MEAN_MOS: 4.2,
  MOS: 4.3,
  SRC_IP: '192.0.2.10',
  SRC_PORT: 4_000,
  DST_IP: '192.0.2.20',
  DST_PORT: 5_000,
  SSRC: '0x1a2b3c4d',
  TYPE: 'PERIODIC',
};

describe('readRtpStatistics', () => {
  it('reads a periodic report', () => {
    expect(readRtpStatistics(JSON.stringify(PERIODIC))).toEqual({
      callId: 'call-1',
      source: { ip: '192.0.2.10', port: 4_000 },
      destination: { ip: '192.0.2.20', port: 5_000 },
      ssrc: 0x1a_2b_3c_4d,
      packets: 1_512,
      lossRate: 8 / 1_520,
      jitterMs: 0.5,
      jitterMaxMs: 3.5,
      mos: 4.2,
      isFinal: false,
    });
  });

  it('reads a final report, whose fields have other names', () => {
    const final = { RTP_SIP_CALL_ID: 'x', TOTAL_PACKETS: 90, TOTAL_PACKET_LOSS: 10, MEAN_JITTER: 2, TYPE: 'FINAL' };
    expect(readRtpStatistics(JSON.stringify(final))).toEqual({
      callId: 'x',
      packets: 90,
      lossRate: 0.1,
      jitterMs: 2,
      isFinal: true,
    });
  });

  it('leaves out what cannot be', () => {
    const odd = { TOTAL_PK: 10, PACKET_LOSS: -1, MEAN_MOS: 9, SRC_IP: 'nowhere', SRC_PORT: 4, SSRC: '0xfffffffff' };
    expect(readRtpStatistics(JSON.stringify(odd))).toEqual({ packets: 10, isFinal: false });
  });

  it.each(['', '{', '[]', 'null', '{"MOS":4}', JSON.stringify({ ...PERIODIC, SOURCE: 'RTCP' })])(
    'rejects %j',
    (text) => {
      expect(readRtpStatistics(text)).toBeUndefined();
    },
  );
});
