import * as fc from 'fast-check';

/** Documents with names of the feed in valid and invalid places, repeated, and with unknown content. */

const NAMES = `
  ConnectionInfo Invite Start StartOrUpdate Ended Error QualityUpdate RawSDP Route From To EndPoint Caller Properties
  Properties Hop ResponseCode MSDiagnostics VendorDiagnostics Protocol Codec EstimatedBandwidth Bandwidth Low Average
  MaxBandwidth Via StreamQuality PacketLossRate Id Port UserAgent VPN WiFiChannel WifiChannel CallId FrontEnd FrontEnds
  Pools CSEQ Odd Odder x-odd toString`
  .trim()
  .split(/\s+/);
const ATTRIBUTES = ['Type', 'Name', 'Codec', 'Code', 'Limit', 'RTT', 'Source', 'PayLoadType', 'Multiplexed', 'Odd'];

const value = fc.constantFrom('', ' ', '0', '1', '-1', '4.210172E-005', '1E+09', 'True', 'audio', 'fe1, fe2,FE1', 'a');

function elementText(name: string, attributes: Readonly<Record<string, string>>, content: string): string {
  const written = Object.entries(attributes).map(([key, text]) => ` ${key}="${text}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc
    .tuple(
      fc.constantFrom(...NAMES),
      fc.dictionary(fc.constantFrom(...ATTRIBUTES), value, { maxKeys: 2 }),
      fc.oneof({ maxDepth: 4, withCrossShrink: true }, value, fc.array(tie('tree'), { maxLength: 4 })),
    )
    .map(([name, attributes, content]) =>
      elementText(name, attributes, Array.isArray(content) ? content.join('') : content),
    ),
}));

const version = fc.constantFrom('', ' Version="1.0"', ' Version="A"', ' Version="D"', ' Version="E" Odd="x"');

export const arbitraryDocument: fc.Arbitrary<string> = fc
  .tuple(version, fc.array(tree, { maxLength: 6 }))
  .map(([attributes, content]) => {
    const header = '<ConnectionInfo><CallId>c1</CallId></ConnectionInfo>';
    return `<Diagnostics${attributes}>${header}${content.join('')}</Diagnostics>`;
  });
