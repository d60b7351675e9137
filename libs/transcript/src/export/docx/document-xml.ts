import { type DirectionalRun, splitByDirection } from '../text-direction.js';
import type { Paragraph } from '../paragraphs.js';

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** Languages that share characters with different forms: font and full tag of each. */
const EAST_ASIAN: ReadonlyMap<string, { font: string; tag: string }> = new Map([
  ['zh', { font: 'Microsoft YaHei', tag: 'zh-CN' }],
  ['ja', { font: 'Yu Gothic', tag: 'ja-JP' }],
  ['ko', { font: 'Malgun Gothic', tag: 'ko-KR' }],
]);

/** A4 with the margins of the PDF; twentieths of a point. */
const PAGE =
  '<w:sectPr><w:footerReference w:type="default" r:id="footer"/><w:pgSz w:w="11906" w:h="16838"/>' +
  '<w:pgMar w:top="1247" w:right="1247" w:bottom="1361" w:left="1247" w:header="680" w:footer="680" w:gutter="0"/>' +
  '</w:sectPr>';

/** The texts contain no characters that XML forbids. */
export function buildDocumentXml(title: string, summary: string, paragraphs: readonly Paragraph[]): string {
  const parts = [
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:document ${NAMESPACES}><w:body>`,
    styledParagraph('Title', false, toRun({ text: title, rightToLeft: false }, 'en')),
    styledParagraph('Subtitle', false, toRun({ text: summary, rightToLeft: false }, 'en')),
  ];
  for (const paragraph of paragraphs) parts.push(speakerParagraph(paragraph), speechParagraph(paragraph));
  parts.push(PAGE, '</w:body></w:document>');
  return parts.join('');
}

function speakerParagraph({ heading, rightToLeft, language }: Paragraph): string {
  return heading === null
    ? ''
    : styledParagraph('Speaker', rightToLeft, toRuns(heading, rightToLeft, language));
}

function speechParagraph({ time, text, rightToLeft, language }: Paragraph): string {
  const stamp = `<w:r><w:rPr><w:rStyle w:val="Time"/></w:rPr><w:t>${time}</w:t></w:r><w:r><w:tab/></w:r>`;
  return styledParagraph('Speech', rightToLeft, stamp + toRuns(text, rightToLeft, language));
}

function styledParagraph(style: string, rightToLeft: boolean, runs: string): string {
  const properties = `<w:pStyle w:val="${style}"/>${rightToLeft ? '<w:bidi/>' : ''}`;
  return `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;
}

function toRuns(text: string, rightToLeft: boolean, language: string | null): string {
  return splitByDirection(text, rightToLeft)
    .map((part) => toRun(part, language))
    .join('');
}

function toRun({ text, rightToLeft }: DirectionalRun, language: string | null): string {
  const eastAsian = EAST_ASIAN.get(language ?? '');
  const font = eastAsian ? `<w:rFonts w:hint="eastAsia" w:eastAsia="${eastAsian.font}"/>` : '';
  const properties = `${font}${rightToLeft ? '<w:rtl/>' : ''}${toLanguage(rightToLeft, language)}`;
  return `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
}

/** Word distinguishes Western, East Asian and right-to-left languages. */
function toLanguage(rightToLeft: boolean, language: string | null): string {
  if (language === null) return '';
  const eastAsian = EAST_ASIAN.get(language);
  if (eastAsian) return `<w:lang w:eastAsia="${eastAsian.tag}"/>`;
  return `<w:lang w:${rightToLeft ? 'bidi' : 'val'}="${language}"/>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
