import * as fc from 'fast-check';

/** All syntax of XML without a DTD, mostly combined correctly. */

const space = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\r', '\t', '  ');
const someSpace = fc.constantFrom(' ', ' ', ' ', '\n', '\r\n', '\t ');
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Ended', 'From', 'Type', 'Id', 'Odd', 'x-1', 'a.b', '_') },
  { weight: 2, arbitrary: fc.constantFrom('d:Ended', 'xmlns', 'xmlns:d', 'p:Type', 'q:Type', ':', 'a:', 'a:b:c') },
  { weight: 1, arbitrary: fc.constantFrom('é', 'Größe', '\u{10000}x', 'x\u{b7}', '\u{300}', '1a', '-a', 'a\u{d7}') },
);
const proper = [
  '&lt;',
  '&gt;',
  '&amp;',
  '&quot;',
  '&apos;',
  '&#65;',
  '&#x41;',
  '&#xd;',
  '&#10;',
  '&#x1F600;',
  '&#0065;',
];
const improper = ['&', '&;', '&nbsp;', '&LT;', '&#;', '&#x;', '&#X41;', '&#0;', '&#xD800;', '&#xFFFE;', '&#x110000;'];
const reference = fc.constantFrom(...proper, ...improper);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', ' b ', '7', '\n', '\r\n', 'x\ry', '\t', 'ü😀', ']]', ']', '>') },
  { weight: 1, arbitrary: reference },
  { weight: 1, arbitrary: fc.constantFrom(']]>', '"', "'", '\u{1}', '\u{fffe}', '\u{7f}', '\u{85}', '\u{2028}') },
  { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: 'grapheme' }) },
);
const quote = fc.constantFrom('"', '"', "'");
const attribute = fc
  .tuple(someSpace, name, space, space, quote, fc.array(text, { maxLength: 2 }))
  .map(([before, key, left, right, mark, value]) => `${before}${key}${left}=${right}${mark}${value.join('')}${mark}`);
const attributes = fc.array(attribute, { maxLength: 3 }).map((list) => list.join(''));
const aside = fc.oneof(
  fc.array(text, { maxLength: 2 }).map((inside) => `<!--${inside.join('-')}-->`),
  fc.tuple(name, space, fc.array(text, { maxLength: 2 })).map(([target, gap, inside]) => {
    return `<?${target}${gap}${inside.join('?')}?>`;
  }),
  fc.constantFrom(
    '<?a?>',
    '<?a?b?>',
    '<?a ??>',
    '<?xml version="1.0"?>',
    '<?XML ?>',
    '<!---->',
    '<!--->-->',
    '<!-- -- -->',
  ),
);
const cdata = fc.array(text, { maxLength: 3 }).map((inside) => `<![CDATA[${inside.join(']')}]]>`);

const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      name,
      attributes,
      space,
      fc.oneof(
        { maxDepth: 4 },
        fc.array(text, { maxLength: 2 }),
        fc.array(fc.oneof(tie('element'), tie('element'), text, cdata, aside), { maxLength: 4 }),
      ),
    )
    .map(([tag, inside, gap, content]) =>
      content.length === 0 ? `<${tag}${inside}${gap}/>` : `<${tag}${inside}${gap}>${content.join('')}</${tag}${gap}>`,
    ),
}));

const encoding = fc.constantFrom(
  '',
  '',
  ' encoding="utf-8"',
  " encoding='UTF8'",
  ' encoding="latin1"',
  ' encoding="8"',
);
const declaration = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('version="1.0"', "version='1.0'", 'version = "1.1"', 'version="2.0"', 'version="1."', ''),
        encoding,
        fc.constantFrom('', '', ' standalone="yes"', " standalone='no'", ' standalone="maybe"', 'standalone="no"'),
        space,
      )
      .map(([version, of, standalone, gap]) => `<?xml ${version}${of}${standalone}${gap}?>`),
  },
);
const around = fc.array(fc.oneof(space, space, aside, fc.constantFrom('x', '<!DOCTYPE a>', '<![CDATA[]]>')), {
  maxLength: 2,
});

/** Well-formed or not, with a known or an unknown root. */
export const arbitrarySyntax: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '', '\u{feff}'),
    declaration,
    fc.oneof({ weight: 3, arbitrary: space }, { weight: 1, arbitrary: around.map((list) => list.join('')) }),
    fc.constantFrom('Diagnostics', 'Diagnostics', 'Diagnostics', 'd:Diagnostics', 'Other'),
    attributes,
    fc.array(fc.oneof(element, element, text, cdata, aside), { maxLength: 5 }),
    fc.oneof({ weight: 3, arbitrary: space }, { weight: 1, arbitrary: around.map((list) => list.join('')) }),
  )
  .map(([mark, first, before, root, inside, content, after]) => {
    return `${mark}${first}${before}<${root}${inside}>${content.join('')}</${root}>${after}`;
  });
