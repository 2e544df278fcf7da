import { IdentityHiding } from './index.js';

const hiding = new IdentityHiding('a seed of enough length');
const shownMetric = (name: string, value: string | number): unknown =>
  hiding.data({ metrics: { [name]: { value } } }).metrics[name]?.value;

describe('a metric that is a text', () => {
  it.each(['4915112345678', 4_915_112_345_678])('is hidden like a text when it is the telephone number %j', (value) => {
    expect(shownMetric('CaptureDevice', value)).toBe(`hidden-${hiding.token('4915112345678')}`);
  });

  it('is shown when it is the version of a driver', () => {
    expect(shownMetric('RenderDeviceDriver', '6.10')).toBe('6.10');
  });

  it('is not one that is a number', () => {
    expect(shownMetric('EchoReturn', 4_915_112_345_678)).toBe(4_915_112_345_678);
    expect(shownMetric('PacketLossRate', 0.25)).toBe(0.25);
  });
});
