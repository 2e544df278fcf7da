import { parseDiagnostics } from './diagnostics-text.js';
import type { Element } from './element.js';
import type { Outcome, ResponseCode, VendorDiagnostics } from './record.js';
import { childNamed, childText, integerOf, present, textOf, withoutAbsent } from './values.js';

/** Reads a `Properties` element that says how a request went. `diagnosticsNames`: possible names of the vendor's text. */
export function readOutcome(properties: Element | undefined, diagnosticsNames: readonly string[]): Outcome {
  const diagnostics = (suffix: string): VendorDiagnostics | undefined => {
    const texts = diagnosticsNames.map((name) => childText(properties, `${name}${suffix}`));
    const text = texts.find((candidate) => candidate !== undefined);
    return text === undefined ? undefined : parseDiagnostics(text);
  };
  return withoutAbsent({
    responseCode: readResponseCode(properties),
    diagnostics: diagnostics(''),
    diagnosticsClient: diagnostics('Client'),
    diagnosticsPublic: diagnostics('Public'),
  });
}

/** 1.0: attribute `Code`, the text is the phrase. C and D: the text is the code, `ResponsePhrase` stands beside it. */
function readResponseCode(properties: Element | undefined): ResponseCode | undefined {
  const element = childNamed(properties, 'ResponseCode');
  const attribute = present(element?.attributes.get('Code'));
  const text = textOf(element);
  const phraseBeside = childText(properties, 'ResponsePhrase');
  const code = integerOf(attribute ?? text);
  const phrase = phraseBeside ?? (attribute === undefined && code !== undefined ? undefined : text);
  if (code === undefined && phrase === undefined) return undefined;
  return withoutAbsent({ code, phrase });
}
