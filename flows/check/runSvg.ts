import type { FlowPicture, PictureStep } from '#flows'
import { hasFailed } from '#flows/pictureOfRun'
import { linesOf } from './runDiagram.ts'

/** Pixels. Each step has a row, so the picture of a long flow is tall and stays readable. */
const row = { height: 60, box: 46, left: 110, width: 720, top: 84 }
const margin = 24
/** Pixels by which a block moves its steps. */
const depthWidth = 28

type Shown = PictureStep['state'] | 'failed'

const colours = {
  done: { fill: '#d6f5d6', stroke: '#2e7d32', text: '#1b1b1b' },
  current: { fill: '#fff3c4', stroke: '#b26a00', text: '#1b1b1b' },
  leftOut: { fill: '#f7f7f7', stroke: '#bbbbbb', text: '#767676' },
  ahead: { fill: '#ffffff', stroke: '#555555', text: '#1b1b1b' },
  failed: { fill: '#fde0dc', stroke: '#c62828', text: '#1b1b1b' },
} as const satisfies Record<Shown, object>

const marks = { done: '✓', failed: '✗', current: '▶', leftOut: '–', ahead: '' } as const satisfies Record<Shown, string>

/** Characters that fit into a box: of a summary, and of a name next to its times. */
const maxLengths = { summary: 96, name: 40 } as const

/** An arrow between steps, by their index. The number of steps is the end. */
export interface SvgArrow {
  readonly from: number
  readonly to: number
  readonly isWalked: boolean
}

/** An SVG picture of a run: one row for each step, the path that it took, its current step, and the steps that may come. */
export function runSvg(picture: FlowPicture): string {
  const { flow, caseNo, steps } = picture
  return drawSvg(
    picture,
    `${flow}, case ${caseNo}`,
    steps.flatMap((step, index) => arrowOf(steps, step, index)),
  )
}

/** An SVG picture with one row for each step. */
export function drawSvg(picture: FlowPicture, title: string, arrows: readonly SvgArrow[]): string {
  const { summary, outcome, steps } = picture
  const height = row.top + (steps.length + 1) * row.height
  const width = row.left + row.width + margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${escapeXml(title)}</title>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8Z" fill="#555"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${margin}" y="34" font-size="18" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="${margin}" y="58" fill="#555">${escapeXml(cut(summary, maxLengths.summary))}</text>`,
    ...steps.flatMap((step, index) => rowOf(picture, step, index)),
    ...arrows.map(toLine),
    `<text x="${row.left}" y="${yOf(steps.length) + row.box / 2}" font-weight="600">${escapeXml(outcome ?? 'end')}</text>`,
    '</svg>',
    '',
  ].join('\n')
}

function yOf(index: number): number {
  return row.top + index * row.height
}

function rowOf(picture: FlowPicture, step: PictureStep, index: number): string[] {
  const shown: Shown = hasFailed(picture, step) ? 'failed' : step.state
  const { fill, stroke, text } = colours[shown]
  const y = yOf(index)
  const indent = (step.depth ?? 0) * depthWidth
  const [summary = '', ...times] = linesOf(picture, step)
  const dashes = step.state === 'leftOut' ? ' stroke-dasharray="4 3"' : ''
  const thick = step.state === 'current' ? 3 : 1
  return [
    `<g><title>${escapeXml(`${step.name}: ${summary}`)}</title>`,
    `<rect x="${row.left + indent}" y="${y}" width="${row.width - indent}" height="${row.box}" rx="6" fill="${fill}" stroke="${stroke}" stroke-width="${thick}"${dashes}/>`,
    `<text x="${row.left + 14 + indent}" y="${y + 19}" fill="${text}"><tspan font-weight="600">${escapeXml(`${index + 1}. ${cut(step.name, maxLengths.name)}`)}</tspan> <tspan fill="#767676">${step.kind}</tspan></text>`,
    `<text x="${row.left + 14 + indent}" y="${y + 37}" fill="${text}">${escapeXml(cut(summary, maxLengths.summary))}</text>`,
    `<text x="${row.left + row.width - 14}" y="${y + 19}" text-anchor="end" fill="${text}">${escapeXml(times.join(' '))}</text>`,
    `<text x="${row.left - 22}" y="${y + 29}" text-anchor="middle" font-size="16" fill="${stroke}">${marks[shown]}</text></g>`,
  ]
}

/** The arrow to the step that came next. */
function arrowOf(steps: readonly PictureStep[], { state, next }: PictureStep, index: number): SvgArrow[] {
  const found = steps.findIndex((step, at) => at > index && step.name === next)
  const isWalked = state === 'done' && next !== null
  if (!isWalked && state === 'leftOut') return []
  return [{ from: index, to: isWalked ? (found < 0 ? steps.length : found) : index + 1, isWalked }]
}

/** An arrow that skips steps runs beside them. */
function toLine({ from: index, to, isWalked }: SvgArrow): string {
  const stroke = isWalked ? 'stroke="#2e7d32" stroke-width="2"' : 'stroke="#999" stroke-dasharray="3 3"'
  const from = yOf(index) + row.box
  if (to === index + 1) {
    const x = row.left + 40
    return `<path d="M${x} ${from}V${yOf(to)}" fill="none" ${stroke} marker-end="url(#arrow)"/>`
  }
  const x = row.left - 44 - Math.min(40, (to - index) * 4)
  const end = yOf(to) + row.box / 2
  return `<path d="M${row.left} ${from - 8}H${x}V${end}H${row.left - 2}" fill="none" ${stroke} marker-end="url(#arrow)"/>`
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

/** A text in an element or attribute of XML, without the characters that XML 1.0 forbids even as references. */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}
