/**
 * The page, in Typst. The transcript comes in as data (`sys.inputs.transcript`, JSON) and is shown as strings, so
 * nothing that was said can be read as markup.
 */
export const TEMPLATE = `
#let data = json(bytes(sys.inputs.transcript))
#let grey = luma(110)
#let time-width = 2.1cm

#set document(title: data.title)
#set page(
  paper: "a4",
  margin: (x: 2.2cm, top: 2.2cm, bottom: 2.4cm),
  numbering: "1 / 1",
  footer: context align(center, text(8pt, fill: grey, counter(page).display("1 / 1", both: true))),
)
#set text(10.5pt, font: data.fonts, hyphenate: false, lang: "en")
#set par(leading: 0.68em, spacing: 1em)

#text(18pt, weight: "bold", data.title)
#v(-0.4em)
#text(9pt, fill: grey, data.summary)
#v(0.8em)

#let spoken(entry) = {
  set text(lang: entry.language) if entry.language != none
  set text(dir: if entry.rightToLeft { rtl } else { ltr })
  let time = text(8.5pt, fill: grey, dir: ltr, number-width: "tabular", entry.time)
  if entry.newSpeaker {
    block(above: 1.3em, below: 0.7em, sticky: true, {
      h(time-width)
      text(9.5pt, weight: "bold", entry.speaker)
    })
  }
  par(hanging-indent: time-width, {
    box(width: time-width, align(if entry.rightToLeft { right } else { left }, time))
    entry.text
  })
}

#for entry in data.paragraphs { spoken(entry) }
`;
