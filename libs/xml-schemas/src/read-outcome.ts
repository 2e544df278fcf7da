import { parseDiagnostics } from './diagnostics-text.js';
import type { Element } from './element.js';
import type { DiagnosticsField, FeedVocabulary } from './feed-vocabulary.js';
import type { FurtherCollector } from './further.js';
import type { CutTexts } from './limits.js';
import { PROPERTIES } from './read-media.js';
import type { Outcome, ResponseCode, VendorDiagnostics } from './record.js';
import { integerOf, present, textOf, withoutAbsent } from './values.js';

/** Reads a `Properties` element that says how a request went. */
export function readOutcome(
  properties: Element | undefined,
  { diagnosticsFields }: FeedVocabulary,
  further: FurtherCollector,
  cut: CutTexts,
): Outcome {
  if (properties === undefined) return {};
  const { children } = properties;
  const phraseBeside = children.find((child) => child.name === 'ResponsePhrase' && textOf(child) !== undefined);
  const responseElement = children.find(
    (child) => child.name === 'ResponseCode' && (textOf(child) ?? present(child.attributes.get('Code'))) !== undefined,
  );
  const diagnostics: Partial<Record<DiagnosticsField, VendorDiagnostics>> = {};
  let responseCode: ResponseCode | undefined;
  for (const child of children) {
    const text = textOf(child);
    const field = diagnosticsFields.get(child.name);
    if (child === responseElement) {
      responseCode = readResponseCode(child, phraseBeside, further, cut);
    } else if (child === phraseBeside) {
      further.addRest(child, PROPERTIES);
    } else if (field !== undefined && diagnostics[field] === undefined && text !== undefined) {
      diagnostics[field] = parseDiagnostics(cut.within(text, 'diagnostics', child));
      further.addRest(child, PROPERTIES);
    } else {
      further.add(child, PROPERTIES);
    }
  }
  if (responseCode === undefined && phraseBeside) responseCode = withoutAbsent({ phrase: phraseOf(phraseBeside, cut) });
  return withoutAbsent({ responseCode, ...diagnostics });
}

/** 1.0: attribute `Code`, the text is the phrase. C and D: the text is the code, `ResponsePhrase` stands beside it. */
function readResponseCode(
  element: Element,
  phraseBeside: Element | undefined,
  further: FurtherCollector,
  cut: CutTexts,
): ResponseCode | undefined {
  const text = textOf(element);
  const ofAttribute = integerOf(present(element.attributes.get('Code')));
  const ofText = ofAttribute === undefined ? integerOf(text) : undefined;
  const textIsPhrase = ofText === undefined && phraseBeside === undefined;
  const code = ofAttribute ?? ofText;
  const phrase = textIsPhrase ? phraseOf(element, cut) : phraseBeside && phraseOf(phraseBeside, cut);
  const read = [...(ofAttribute === undefined ? [] : ['@Code']), ...(textIsPhrase || ofText !== undefined ? [''] : [])];
  further.add(element, PROPERTIES, read);
  return code === undefined && phrase === undefined ? undefined : withoutAbsent({ code, phrase });
}

function phraseOf(element: Element, cut: CutTexts): string | undefined {
  return cut.within(textOf(element), 'text', element);
}
