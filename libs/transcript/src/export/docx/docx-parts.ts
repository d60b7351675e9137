const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const FORMATS = 'http://schemas.openxmlformats.org';
const WORD = `xmlns:w="${FORMATS}/wordprocessingml/2006/main"`;
const OFFICE = `${FORMATS}/officeDocument/2006`;
const PACKAGE = `${FORMATS}/package/2006`;
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const GREY = '6E6E6E';
/** Indent of the text, which leaves space for the time; twentieths of a point. */
const INDENT = 1190;

const relations = (...entries: [id: string, type: string, target: string][]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${entries
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const override = (part: string, type: string) => `<Override PartName="${part}" ContentType="${type}"/>`;

const style = (id: string, name: string, paragraph: string, run: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:qFormat/>` +
  `<w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`;

const size = (halfPoints: number) => `<w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/>`;

const field = (name: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${name} </w:instrText></w:r>` +
  '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';

const STYLES =
  `${XML}<w:styles ${WORD}><w:docDefaults><w:rPrDefault><w:rPr>` +
  `<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Arial"/>${size(22)}<w:lang w:val="en-US"/>` +
  '</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault>' +
  '</w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>' +
  style('Title', 'Title', '<w:spacing w:after="60"/><w:outlineLvl w:val="0"/>', `<w:b/><w:bCs/>${size(36)}`) +
  style('Subtitle', 'Subtitle', '<w:spacing w:after="240"/>', `<w:color w:val="${GREY}"/>${size(18)}`) +
  style(
    'Speaker',
    'Speaker',
    `<w:keepNext/><w:spacing w:before="240" w:after="20"/><w:ind w:left="${INDENT}"/>`,
    `<w:b/><w:bCs/>${size(20)}`,
  ) +
  style(
    'Speech',
    'Speech',
    `<w:tabs><w:tab w:val="left" w:pos="${INDENT}"/></w:tabs><w:ind w:left="${INDENT}" w:hanging="${INDENT}"/>`,
    '',
  ) +
  style('Footer', 'footer', '<w:jc w:val="center"/>', `<w:color w:val="${GREY}"/>${size(16)}`) +
  '<w:style w:type="character" w:styleId="Time"><w:name w:val="Time"/><w:qFormat/>' +
  `<w:rPr><w:color w:val="${GREY}"/>${size(17)}</w:rPr></w:style></w:styles>`;

/** Independent of the transcript. */
export const FIXED_PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    override('/word/document.xml', `${TYPE}.document.main+xml`) +
    override('/word/styles.xml', `${TYPE}.styles+xml`) +
    override('/word/settings.xml', `${TYPE}.settings+xml`) +
    override('/word/footer.xml', `${TYPE}.footer+xml`) +
    override('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml') +
    '</Types>',
  '_rels/.rels': relations(
    ['document', `${OFFICE}/relationships/officeDocument`, 'word/document.xml'],
    ['properties', `${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
  ),
  'word/_rels/document.xml.rels': relations(
    ['styles', `${OFFICE}/relationships/styles`, 'styles.xml'],
    ['settings', `${OFFICE}/relationships/settings`, 'settings.xml'],
    ['footer', `${OFFICE}/relationships/footer`, 'footer.xml'],
  ),
  'word/styles.xml': STYLES,
  // Without it Word opens the file in compatibility mode for 2007.
  'word/settings.xml':
    `${XML}<w:settings ${WORD}><w:compat><w:compatSetting w:name="compatibilityMode" ` +
    'w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>',
  'word/footer.xml':
    `${XML}<w:ftr ${WORD}><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr>` +
    `${field('PAGE')}<w:r><w:t xml:space="preserve"> / </w:t></w:r>${field('NUMPAGES')}</w:p></w:ftr>`,
};

export function buildCoreProperties(title: string, created: Date): string {
  const moment = (name: string) =>
    `<dcterms:${name} xsi:type="dcterms:W3CDTF">${created.toISOString()}</dcterms:${name}>`;
  return (
    `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${title}</dc:title>${moment('created')}${moment('modified')}</cp:coreProperties>`
  );
}
