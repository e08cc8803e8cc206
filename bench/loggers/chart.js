'use strict'
// The chart of index.js, as SVG.

const echarts = require('echarts')

const WIDTH = 1080
const HEIGHT = 560
const PANELS = [['median', 'a call, median'], ['p999', 'a call, p99.9'], ['cpu', 'CPU of the whole system']]
const LEFT = 235
const GAP = 24
const PANEL = (WIDTH - LEFT - 20 - GAP * (PANELS.length - 1)) / PANELS.length
const COLORS = ['#1b6ca8', '#3a9d5d', '#d1495b', '#edae49', '#6f4e9c']
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'roundRect']

function time (ns) {
  return ns >= 1e6 ? `${ns / 1e6} ms` : ns >= 1000 ? `${ns / 1000} µs` : `${ns} ns`
}

/** A long text as lines, for nobody knows here how wide its letters are. */
function lines (text) {
  return text.replace(/(.{1,150})(?: |$)/g, '$1\n').trimEnd()
}

/** results: of one thread and of several; the chart shows the one. */
module.exports = function chart ({ about, results }) {
  const shown = results.filter(({ threads }) => threads === 1).reverse() // categories go upwards
  const messages = Object.keys(shown[0].messages)
  const image = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT })
  image.setOption({
    animation: false,
    backgroundColor: '#fff',
    color: COLORS,
    title: [
      { text: 'What a log record costs', left: 12, top: 8, textStyle: { fontSize: 17 } },
      { text: lines(about), left: 12, bottom: 6, textStyle: { fontSize: 10, fontWeight: 'normal', color: '#666', lineHeight: 13 } },
      ...PANELS.map(([, text], i) => ({ text, left: LEFT + i * (PANEL + GAP) + PANEL / 2, top: 44, textAlign: 'center', textStyle: { fontSize: 13, fontWeight: 'normal' } }))
    ],
    legend: { data: messages, right: 20, top: 10, itemWidth: 12, itemHeight: 10, itemGap: 16 },
    grid: PANELS.map((_, i) => ({ left: LEFT + i * (PANEL + GAP), width: PANEL, top: 68, bottom: 86 })),
    xAxis: PANELS.map((_, i) => ({
      type: 'log',
      gridIndex: i,
      min: 1,
      max: 1e8,
      axisLabel: { formatter: value => [1, 100, 1e4, 1e6].includes(value) ? time(value) : '' },
      splitLine: { lineStyle: { color: '#e4e4e4' } }
    })),
    yAxis: PANELS.map((_, i) => ({
      type: 'category',
      gridIndex: i,
      data: shown.map(({ name }) => name),
      axisLabel: { show: i === 0, fontSize: 12, color: name => name.includes('nftrace') ? '#000' : '#666' },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: '#eee' } }
    })),
    series: messages.flatMap((message, m) => PANELS.map(([key], i) => ({
      name: message,
      type: 'scatter',
      xAxisIndex: i,
      yAxisIndex: i,
      symbol: SYMBOLS[m],
      symbolSize: 9,
      color: COLORS[m],
      data: shown.map(({ name, messages: figures }) => [Math.max(1, figures[message][key]), name])
    })))
  })
  const svg = image.renderToSVGString()
  image.dispose() // which ends its timer
  return svg
}
