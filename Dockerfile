# docker build -t leno . && docker run --rm leno run hotspot --size tiny
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc make binutils libc6-dev \
    libinih-dev libzstd-dev liblzma-dev libsqlite3-dev
COPY . /leno
WORKDIR /leno
RUN make PORTABLE=1 -j"$(nproc)" deb

FROM debian:12
COPY --from=build /leno/build/leno_*.deb /tmp/leno.deb
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/leno.deb python3 \
    && rm -rf /tmp/leno.deb /var/lib/apt/lists/*
ENTRYPOINT ["leno"]
