/* A surface of DirectDraw: rows of pixels, with bytes between them that mean nothing. */
void ddsurfacedesc(int height, int width, int pitch, const unsigned char surface[pitch * height],
                   int *rows, int *columns, unsigned char data[height][width])
{
    *rows = height;
    *columns = width;
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++)
            data[i][j] = surface[pitch * i + j];
}
