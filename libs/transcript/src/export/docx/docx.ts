import type { Document, Paragraph as DocxParagraph } from 'docx';
import type { TranscriptDocument } from '../../document.js';
import { readsRightToLeft } from '../direction.js';
import type { Exporter } from '../exporter.js';
import { type Paragraph, toParagraphs, toSummary } from '../paragraphs.js';

type Docx = typeof import('docx');

const GREY = '6e6e6e';
/** Twentieths of a point. */
const SPACE = 120;

/** A text document to edit: times and speakers in front of every segment, right to left where the script is. */
export const docxExporter: Exporter = {
  format: 'docx',
  extension: 'docx',
  contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  render,
};

async function render(document: TranscriptDocument): Promise<Buffer> {
  // Loaded when first needed: it is large, and many services never write one.
  const docx = await import('docx');
  return docx.Packer.toBuffer(toDocument(docx, document));
}

function toDocument(docx: Docx, document: TranscriptDocument): Document {
  const { AlignmentType, Footer, HeadingLevel, PageNumber, Paragraph, TextRun } = docx;
  const pageNumber = new Paragraph({
    alignment: AlignmentType.CENTER,
    children: [
      new TextRun({ children: [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES], color: GREY, size: 16 }),
    ],
  });
  return new docx.Document({
    title: 'Transcript',
    styles: { default: { document: { run: { font: 'Calibri', size: 22 } } } },
    sections: [
      {
        footers: { default: new Footer({ children: [pageNumber] }) },
        children: [
          new Paragraph({ heading: HeadingLevel.TITLE, text: 'Transcript' }),
          new Paragraph({
            spacing: { after: 2 * SPACE },
            children: [new TextRun({ text: toSummary(document), color: GREY, size: 18 })],
          }),
          ...toParagraphs(document).map((paragraph) => spoken(docx, paragraph)),
        ],
      },
    ],
  });
}

function spoken({ Paragraph, TextRun }: Docx, entry: Paragraph): DocxParagraph {
  const { time, speaker, newSpeaker, text, rightToLeft, language } = entry;
  const tongue =
    language === null ? {} : { language: rightToLeft ? { bidirectional: language } : { value: language } };
  return new Paragraph({
    bidirectional: rightToLeft,
    spacing: { before: newSpeaker ? 2 * SPACE : 0, after: SPACE },
    children: [
      new TextRun({ text: `[${time}] `, color: GREY, size: 18 }),
      ...(speaker === null
        ? []
        : [new TextRun({ text: `${speaker}: `, bold: true, rightToLeft: readsRightToLeft(speaker) })]),
      new TextRun({ text, rightToLeft, ...tongue }),
    ],
  });
}
