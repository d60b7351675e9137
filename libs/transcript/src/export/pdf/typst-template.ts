/**
 * Typst template. The transcript is passed as data (`sys.inputs.transcript`, JSON) and shown as strings, so it cannot
 * inject markup. The time of a paragraph with a bookmark is a heading. A paragraph is one run of text with gaps: boxes
 * and blocks for times and names would take half as much memory again.
 */
export const TYPST_TEMPLATE = `
#let data = json(bytes(sys.inputs.transcript))
#let grey = luma(110)
#let side = 2.2cm
#let margin = 2.1cm
#let after-time = margin - 8.5pt * 3.97

// Quotation marks and dashes of these languages are as wide as their signs.
#let wide = ("zh", "ja", "ko")
#let families(cjkVariant, language) = {
  let (latin, ..others) = data.fonts.at(cjkVariant)
  if language in wide { ((name: latin, covers: "latin-in-cjk"), ..others) } else { (latin, ..others) }
}

#set document(title: data.title, description: data.summary)
#set page(
  paper: "a4",
  margin: (x: side, top: 2.2cm, bottom: 2.4cm),
  numbering: "1 / 1",
  footer: context align(center, text(8pt, fill: grey, counter(page).display("1 / 1", both: true))),
)
#set text(10.5pt, font: families(data.cjkVariant, data.language), lang: data.language, hyphenate: false)
#set par(leading: 0.68em, spacing: 1em)
// What is wider than a line and has no place to break may break between any two letters: a box for each allows that, and
// leaves nothing between them for whoever copies the text. Signs, hyphens and strokes are such places by themselves.
#let line = 21cm - 2 * side - margin
#let long = regex("[^\\\\s\\\\p{Han}\\\\p{Hiragana}\\\\p{Katakana}\\\\p{Hangul}/–—-]{30,}")
#show long: it => context if measure(it).width > line { it.text.clusters().map(box).join() } else { it }
#show heading.where(level: 1): it => block(below: 0.9em, text(18pt, weight: "bold", it.body))
#show heading.where(level: 2): it => text(8.5pt, weight: "regular", it.body)

#heading(data.title)
#text(9pt, fill: grey, data.summary)
#v(0.8em)

#set par(hanging-indent: margin)
#let name(entry) = {
  h(margin)
  set text(font: families(entry.headingCjkVariant, entry.language)) if entry.headingCjkVariant != entry.cjkVariant
  text(9.5pt, weight: "bold", entry.heading)
  linebreak()
  h(-margin)
}
#let spoken(entry) = {
  if entry.newSpeaker { v(1.3em, weak: true) }
  set text(lang: entry.language) if entry.language not in (none, data.language)
  set text(dir: rtl) if entry.rightToLeft
  set text(font: families(entry.cjkVariant, entry.language)) if (entry.cjkVariant, entry.language) != (data.cjkVariant, data.language)
  par({
    if entry.heading != none { name(entry) }
    text(8.5pt, fill: grey, if entry.bookmark { heading(level: 2, entry.time) } else { entry.time })
    h(after-time)
    entry.text
  })
}

#for entry in data.paragraphs { spoken(entry) }
`;
