import { parseDiagnostics } from '../model/diagnostics-text.js';
import type { Outcome, ResponseCode, VendorDiagnostics } from '../model/record.js';
import { parseInteger, present, withoutAbsent } from '../model/values.js';
import type { CutTexts } from './cut-texts.js';
import { type Element, trimmedElementText } from './element.js';
import type { ExtensionCollector } from './extension-collector.js';
import type { DiagnosticsField, FeedVocabulary } from './feed-vocabulary.js';
import { PROPERTIES } from './read-media.js';

/** Reads a `Properties` element with the outcome of a request. */
export function readOutcome(
  properties: Element | undefined,
  { diagnosticsFields }: FeedVocabulary,
  extensions: ExtensionCollector,
  cut: CutTexts,
): Outcome {
  if (properties === undefined) return {};
  const { children } = properties;
  const phraseBeside = children.find(
    (child) => child.name === 'ResponsePhrase' && trimmedElementText(child) !== undefined,
  );
  const responseElement = children.find(
    (child) =>
      child.name === 'ResponseCode' &&
      (trimmedElementText(child) ?? present(child.attributes.get('Code'))) !== undefined,
  );
  const diagnostics: Partial<Record<DiagnosticsField, VendorDiagnostics>> = {};
  let responseCode: ResponseCode | undefined;
  for (const child of children) {
    const text = trimmedElementText(child);
    const field = diagnosticsFields.get(child.name);
    if (child === responseElement) {
      responseCode = readResponseCode(child, phraseBeside, extensions, cut);
    } else if (child === phraseBeside) {
      extensions.addAllExceptText(child, PROPERTIES);
    } else if (field !== undefined && diagnostics[field] === undefined && text !== undefined) {
      diagnostics[field] = parseDiagnostics(cut.within(text, 'diagnostics', child));
      extensions.addAllExceptText(child, PROPERTIES);
    } else {
      extensions.add(child, PROPERTIES);
    }
  }
  if (responseCode === undefined && phraseBeside) responseCode = withoutAbsent({ phrase: phraseOf(phraseBeside, cut) });
  return withoutAbsent({ responseCode, ...diagnostics });
}

/** 1.0: attribute `Code`, the text is the phrase. C and D: the text is the code, with `ResponsePhrase` beside it. */
function readResponseCode(
  element: Element,
  phraseBeside: Element | undefined,
  extensions: ExtensionCollector,
  cut: CutTexts,
): ResponseCode | undefined {
  const text = trimmedElementText(element);
  const ofAttribute = parseInteger(present(element.attributes.get('Code')));
  const ofText = ofAttribute === undefined ? parseInteger(text) : undefined;
  const textIsPhrase = ofText === undefined && phraseBeside === undefined;
  const code = ofAttribute ?? ofText;
  const phrase = textIsPhrase ? phraseOf(element, cut) : phraseBeside && phraseOf(phraseBeside, cut);
  const read = [...(ofAttribute === undefined ? [] : ['@Code']), ...(textIsPhrase || ofText !== undefined ? [''] : [])];
  extensions.add(element, PROPERTIES, read);
  return code === undefined && phrase === undefined ? undefined : withoutAbsent({ code, phrase });
}

function phraseOf(element: Element, cut: CutTexts): string | undefined {
  return cut.within(trimmedElementText(element), 'text', element);
}
